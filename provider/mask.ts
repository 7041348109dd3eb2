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

/** Characters that a terminal obeys, that nobody sees, or that change the order of others. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const escaped = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/**
 * A text of others, such as a name, in one line: its control characters are escaped, so that no name hides another one from the
 * person who is asked, or looks like a line of podlumi.
 */
export function inLine(text: string): string {
  return text.replace(unseen, escaped);
}

/** The same for a text of several lines. What such texts are written with stays: ends of lines, tabs, and joiners of letters. */
export function inLines(text: string): string {
  return text.replace(unseen, (character) =>
    "\n\t\u200c\u200d".includes(character) ? character : escaped(character),
  );
}

/** JSON that is shown: the same characters, escaped as JSON does it. */
export function inJson(json: string): string {
  const unit = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return json.replace(unseen, (character) =>
    character === "\n" ? character : character.split("").map(unit).join(""),
  );
}
