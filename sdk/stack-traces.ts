import * as pulumi from "@pulumi/pulumi";

/**
 * Makes stack traces cheap until the returned function is called. For each output, Pulumi's SDK reads four traces, to
 * debug promises: these get no frames. It reads one more without a limit, which tells the engine the line that declares
 * the resource. For this trace, the SDK expects one constructor between its own and the program, so the frames of `file`
 * are left out. Traces of errors that are thrown are read later, so they stay whole.
 */
export function withoutFrames(file: string): () => void {
  if (process.env.PULUMI_DEBUG_PROMISE_LEAKS) return () => undefined;
  const { prepareStackTrace } = Error;
  const whole = prepareStackTrace ?? ((error, frames) => [error, ...frames].join("\n    at "));
  Error.prepareStackTrace = (error, frames) =>
    Error.stackTraceLimit === Number.POSITIVE_INFINITY
      ? whole(
          error,
          frames.filter((frame) => frame.getFileName() !== file),
        )
      : String(error);
  return () => {
    Error.prepareStackTrace = prepareStackTrace;
  };
}

/** An error whose stack Pulumi does not print. */
export function plainError(message: string): Error {
  return Object.assign(new pulumi.RunError(message), { stack: message });
}
