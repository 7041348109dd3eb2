import * as pulumi from "@pulumi/pulumi";

/**
 * Makes stack traces cheap until the returned function is called. For each output, Pulumi's SDK reads four traces, to
 * debug promises: these get no frames. It reads one more without a limit, which tells the engine the line that declares
 * the resource. For this trace, the SDK expects one constructor between its own two and the program, and there are two.
 * So the third constructor is left out, by its place: in a bundle, neither its file nor its name tells it. Traces of
 * errors that are thrown are read later, so they stay whole.
 */
export function withoutOwnConstructor(): () => void {
  if (process.env.PULUMI_DEBUG_PROMISE_LEAKS) return () => undefined;
  const { prepareStackTrace } = Error;
  const whole = prepareStackTrace ?? ((error, frames) => [error, ...frames].join("\n    at "));
  Error.prepareStackTrace = (error, frames) => {
    if (Error.stackTraceLimit !== Number.POSITIVE_INFINITY) return String(error);
    const own = frames.filter((frame) => frame.isConstructor())[2];
    return whole(
      error,
      frames.filter((frame) => frame !== own),
    );
  };
  return () => {
    Error.prepareStackTrace = prepareStackTrace;
  };
}

/** An error whose stack Pulumi does not print. */
export function plainError(message: string): Error {
  return Object.assign(new pulumi.RunError(message), { stack: message });
}
