/** Shorter texts would spoil any message. */
const shortest = 4;

/** Hides texts in a message, as a whole and each line of them, since a log may show a line alone. */
export function masked(message: string, texts: readonly string[], by = "[secret]"): string {
  const lines = texts.flatMap((text) => text.split(/[\r\n]+/)).map((line) => line.trim());
  return [...new Set([...texts, ...lines])]
    .filter((text) => text.length >= shortest)
    .flatMap(forms)
    .sort((a, b) => b.length - a.length)
    .reduce((result, text) => result.replaceAll(text, by), message);
}

/** A text as JSON of JavaScript, of Python (ASCII only) and of Go (HTML escaped), and in an address, a form, or a header. */
function forms(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  // An address cannot hold half of a surrogate pair. As bytes, it becomes another character.
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

/** Escapes control characters in a foreign text, such as a name, so that no name hides another one or looks like a line of podlumi. */
export function inLine(text: string): string {
  return text.replace(unseen, escaped);
}

/** For a text of several lines: ends of lines, tabs, and joiners of letters stay. */
export function inLines(text: string): string {
  return text.replace(unseen, (character) =>
    "\n\t\u200c\u200d".includes(character) ? character : escaped(character),
  );
}

/** A character as JSON escapes it. */
const unit = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** For JSON that is shown: escapes as JSON does. */
export function inJson(json: string): string {
  return json.replace(unseen, (character) =>
    character === "\n" ? character : character.split("").map(unit).join(""),
  );
}
