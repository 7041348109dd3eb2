import * as pulumi from "@pulumi/pulumi";

/**
 * Makes stack traces cheap until the returned function is called. For each output, Pulumi's SDK reads four traces, to
 * debug promises: these get no frames. It reads one more without a limit, which tells the engine the line that declares
 * the resource. For this trace, the SDK expects one constructor between its own two and the program, and there are
 * `more`. These are left out by their place: in a bundle, neither their file nor their name tells them. Traces of errors
 * that are thrown are read later, so they stay whole.
 */
export function withoutOwnConstructors(more: number): () => void {
  if (process.env.PULUMI_DEBUG_PROMISE_LEAKS) return () => undefined;
  const { prepareStackTrace } = Error;
  const whole = prepareStackTrace ?? ((error, frames) => [error, ...frames].join("\n    at "));
  Error.prepareStackTrace = (error, frames) => {
    if (Error.stackTraceLimit !== Number.POSITIVE_INFINITY) return String(error);
    const own = frames.filter((frame) => frame.isConstructor()).slice(2, 2 + more);
    return whole(
      error,
      frames.filter((frame) => !own.includes(frame)),
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
