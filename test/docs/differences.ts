import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { generated } from "./markdown";

/**
 * The page of what is known to differ between the emulator and the service. It is made from the remarks `(differs, WHAT: TEXT)`
 * that stand at the emulator's rules, so a rule and its remark change together.
 */
export function differencesPage(): string {
  const folder = resolve(__dirname, "../../sdk/emulator/service");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const remarks = files.flatMap((file) => remarksIn(readFileSync(join(folder, file), "utf8")));
  const rows = remarks.map(({ what, text }) => `- **${what}.** ${text}`);
  return `${generated}

# What differs from the service

The [emulator](emulator.md) refuses what the service refuses, and answers in its form: \`npm run conformance\` compares it with the
service's contract. This is what is known to differ.

${[...new Set(rows)].sort().join("\n")}
`;
}

/** The remarks in the comments of a source. */
function remarksIn(source: string): { what: string; text: string }[] {
  const text = source.replace(/\n\s*(\*|\/\/) ?/g, " ");
  return [...text.matchAll(/\(differs, ([^:]+): (.*?)\)(?=\s*(?:\*?\/|\n|$))/g)].map(
    ([, what = "", rest = ""]) => ({
      what,
      text: upper(rest.replace(/\s+/g, " ")),
    }),
  );
}

const upper = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
