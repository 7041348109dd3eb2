/** What a value is that is there only later, and how to give it; undefined for any other value. Only a program without types gives one. */
export function deferred(value: unknown): string | undefined {
  const { __pulumiOutput, then } = Object(value) as { __pulumiOutput?: unknown; then?: unknown };
  if (__pulumiOutput === true)
    return "an output: use its value within apply, or the form of the function that ends in Output";
  return typeof then === "function" ? "a promise: use its value, by await" : undefined;
}
