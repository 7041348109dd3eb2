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

/**
 * A text of others, such as a name, in one line: its control characters are escaped, so that no name hides another one from the
 * person who is asked, or looks like a line of podlumi.
 */
export function inLine(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
