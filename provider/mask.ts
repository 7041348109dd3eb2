/** Shorter texts would spoil any message. */
const shortest = 4;

/**
 * Hides texts in a message, as a whole and each line of them: a log may show a line alone. Also where they stand as JSON, as a worker may
 * repeat them, or in an address.
 */
export function masked(message: string, texts: readonly string[], by = "[secret]"): string {
  const lines = texts.flatMap((text) => text.split(/[\r\n]+/)).map((line) => line.trim());
  return [...new Set([...texts, ...lines])]
    .filter((text) => text.length >= shortest)
    .flatMap(forms)
    .sort((a, b) => b.length - a.length)
    .reduce((result, text) => result.replaceAll(text, by), message);
}

/**
 * A text as it may stand in another one: as JSON of JavaScript, of Python, which has ASCII only, and of Go, which escapes what HTML gives
 * a meaning; in an address, a form, or a header.
 */
function forms(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  // Half of a surrogate pair has no place in an address. As bytes, it is a character that has one.
  const bytes = Buffer.from(text);
  const form = new URLSearchParams({ "": bytes.toString() }).toString().slice(1);
  const address = encodeURIComponent(bytes.toString());
  const ofPython = json.replace(/[^ -~]/g, unit);
  const ofGo = json.replace(/[<>&\u2028\u2029]/g, unit);
  return [text, json, ofPython, ofGo, address, form, bytes.toString("base64")];
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

/** A character as JSON escapes it. */
const unit = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** JSON that is shown: the same characters, escaped as JSON does it. */
export function inJson(json: string): string {
  return json.replace(unseen, (character) =>
    character === "\n" ? character : character.split("").map(unit).join(""),
  );
}
