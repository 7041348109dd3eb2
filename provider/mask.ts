/** Shorter texts would spoil any message. */
const shortest = 4;

/** Hides texts in a message, also where they stand as JSON, as a worker may repeat them, or in an address. */
export function masked(message: string, texts: readonly string[], by = "[secret]"): string {
  return [...new Set(texts)]
    .filter((text) => text.length >= shortest)
    .flatMap((text) => [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)])
    .sort((a, b) => b.length - a.length)
    .reduce((result, text) => result.replaceAll(text, by), message);
}
