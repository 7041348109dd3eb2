import { readFileSync } from "node:fs";

/** The programs in a language that a page shows, as one. */
export function programOf(page: string, language: string): string {
  const blocks = readFileSync(page, "utf8").matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"));
  return [...blocks].map(([, text]) => text).join("\n");
}
