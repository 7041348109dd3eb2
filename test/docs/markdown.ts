import { definitions } from "../../provider/resources";

/** Helpers that write Markdown. */

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

/** Code in a table cell. */
export const code = (text: string) => (text === "" ? "" : `\`${text.replaceAll("|", "\\|")}\``);

/** TSDoc text in a table cell: one line, with links as code. */
export function cell(text: string): string {
  return linked(text).replace(/\s+/g, " ").replaceAll("|", "\\|").trim();
}

/** `{@link X}` as code or, for a resource whose page is in `folder`, as a link. */
export function linked(text: string, folder?: string): string {
  return text.replace(/\{@link ([\w.]+)\s*\}/g, (_all, name: string) =>
    folder !== undefined && name in definitions ? `[${name}](${folder}${fileOfKind(name)})` : `\`${name}\``,
  );
}

/** The file of a resource's page: `network-volume.md` for `NetworkVolume`. */
export const fileOfKind = (kind: string) => `${kind.replace(/(?<!^)[A-Z]/g, "-$&").toLowerCase()}.md`;

/** A page of these paragraphs. Leaves out empty ones. */
export const page = (...paragraphs: readonly string[]) => `${paragraphs.filter(Boolean).join("\n\n")}\n`;

/** An example from TSDoc: an optional sentence and a code block. */
export const example = (text: string) => text.trim();

/** Tells editors of the page where its text comes from. */
export const generated = "<!-- Made by `npm run docs` from TSDoc and the field tables: edit those. -->";
