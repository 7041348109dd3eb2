/** How pages are written. */

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

/** Code in a cell of a table. */
export const code = (text: string) => (text === "" ? "" : `\`${text.replaceAll("|", "\\|")}\``);

/** A text of TSDoc in a cell: one line, with links as code. */
export function cell(text: string): string {
  return linked(text, "").replace(/\s+/g, " ").replaceAll("|", "\\|").trim();
}

/** `{@link X}` as code or, for a resource, as a link into `folder`. */
export function linked(text: string, folder: string): string {
  return text.replace(/\{@link ([\w.]+)\s*\}/g, (_all, name: string) => {
    const page = pageOf(name);
    return folder !== "" && page !== undefined ? `[${name}](${folder}${page})` : `\`${name}\``;
  });
}

const pages = new Map<string, string>();
export const pageOf = (kind: string) => pages.get(kind);
export function register(kind: string): string {
  const page = `${kind.replace(/(?<!^)[A-Z]/g, "-$&").toLowerCase()}.md`;
  pages.set(kind, page);
  return page;
}

/** An example as TSDoc holds it: a sentence, perhaps, and a block of code. */
export const example = (text: string) => text.trim();

/** Says where a page comes from, to whoever edits it. */
export const generated = "<!-- Made by `npm run docs` from TSDoc and the field tables: edit those. -->";
