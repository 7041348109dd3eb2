import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { policyTable } from "../../provider/client/policy";
import type { KindName } from "../../provider/identity";
import { definitions } from "../../provider/resources";
import { differencesPage } from "./differences";
import { fileOfKind, generated } from "./markdown";
import { referencePage } from "./reference";
import { resourcePage } from "./resource-page";

/** `llms.txt`: what the package is, and its pages, for programs that read documentation. (llmstxt.org) */
export function llms(): string {
  const root = resolve(__dirname, "../..");
  const [, intro = ""] = readFileSync(join(root, "README.md"), "utf8").split("\n\n");
  const rows = readFileSync(join(root, "docs/README.md"), "utf8").matchAll(/^\| (.*?) \| (.*) \|$/gm);
  const pages = [...rows].flatMap(([, links = "", what = ""]) =>
    [...(links.includes("](") ? links : `${what}`).matchAll(/\[([^\]]+)\]\(([^)#]+)\)/g)].map(
      ([, name = "", path = ""]) =>
        `- [${name}](${join("docs", path)})${links.includes("](") ? `: ${what.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")}` : ""}`,
    ),
  );
  return `# podlumi\n\n> ${intro.replace(/\s+/g, " ")}\n\n## Pages\n\n${[...new Set(pages)].join("\n")}\n`;
}

/** The texts of all generated pages, by path in `docs/`. */
export function pages(): Map<string, string> {
  const kinds = Object.keys(definitions) as KindName[];
  return new Map([
    ...kinds.map((kind) => [`resources/${fileOfKind(kind)}`, resourcePage(kind)] as const),
    ["reference.md", referencePage()],
    ["emulator-differences.md", differencesPage()],
    ["retries.md", retriesPage()],
  ]);
}

function retriesPage(): string {
  return `${generated}

# What is tried again

${policyTable()}

Pauses grow exponentially with full jitter, and \`Retry-After\` and \`RateLimit\` are obeyed. 400, 401, 402, 403 and 422
end it at once, but for the cases of the table. A request that may have reached the service, and that makes something,
is never sent again before podlumi has looked for what it may have made.

REST and GraphQL have a quota each. podlumi learns both from the answers. It holds requests back before the service has
to refuse them, and slows down near the end of a quota that somebody else uses, too. The time for which it holds a request
back does not count.

When the time is over, the error says who has the name, who uses what is to be deleted, or what each placement
answered. What is waited for shows in Pulumi's status line. The texts of errors: [troubleshooting](troubleshooting.md).
`;
}
