import { definitions } from "../../provider/resources";

/** How pages are written. */

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

/** Code in a cell of a table. */
export const code = (text: string) => (text === "" ? "" : `\`${text.replaceAll("|", "\\|")}\``);

/** A text of TSDoc in a cell: one line, with links as code. */
export function cell(text: string): string {
  return linked(text).replace(/\s+/g, " ").replaceAll("|", "\\|").trim();
}

/** `{@link X}` as code or, for a resource whose page is in `folder`, as a link. */
export function linked(text: string, folder?: string): string {
  return text.replace(/\{@link ([\w.]+)\s*\}/g, (_all, name: string) =>
    folder !== undefined && name in definitions ? `[${name}](${folder}${fileOfKind(name)})` : `\`${name}\``,
  );
}

/** `NetworkVolume` has its page in `network-volume.md`. */
export const fileOfKind = (kind: string) => `${kind.replace(/(?<!^)[A-Z]/g, "-$&").toLowerCase()}.md`;

/** A page of these paragraphs, without those that are empty. */
export const page = (...paragraphs: readonly string[]) => `${paragraphs.filter(Boolean).join("\n\n")}\n`;

/** An example as TSDoc holds it: a sentence, perhaps, and a block of code. */
export const example = (text: string) => text.trim();

/** Says where a page comes from, to whoever edits it. */
export const generated = "<!-- Made by `npm run docs` from TSDoc and the field tables: edit those. -->";
