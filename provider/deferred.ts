/** Names an output or a promise, which only a program without types passes, and tells its right use; undefined for any other value. */
export function deferred(value: unknown): string | undefined {
  const { __pulumiOutput, then } = Object(value) as { __pulumiOutput?: unknown; then?: unknown };
  if (__pulumiOutput === true)
    return "an output: use its value within apply, or the form of the function that ends in Output";
  return typeof then === "function" ? "a promise: use its value, by await" : undefined;
}
