import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Policy, requests, situations } from "../../provider/client/policy";
import { definitions, type KindName } from "../../provider/resources";
import { differencesPage } from "./differences";
import { code, fileOfKind, generated, table } from "./markdown";
import { referencePage } from "./reference";
import { installationPage, overviewPage } from "./registry";
import { resourcePage } from "./resource-page";

/** `llms.txt`: what the package is, and its pages, for programs that read documentation. (llmstxt.org) */
export function llms(): string {
  const root = resolve(__dirname, "../..");
  const [, intro = ""] = readFileSync(join(root, "README.md"), "utf8").split("\n\n");
  const index = readFileSync(join(root, "docs/README.md"), "utf8");
  // A link, and what its row of a table says of it.
  const links = index.matchAll(/\[([^\]]+)\]\(([^)#]+\.md)\)(?: \| (.*) \|)?/g);
  const pages = [...links].map(
    ([, name = "", path = "", what]) =>
      `- [${name}](${join("docs", path)})${what ? `: ${what.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")}` : ""}`,
  );
  return `# podlumi\n\n> ${intro.replace(/\s+/g, " ")}\n\n## Pages\n\n${[...new Set(pages)].join("\n")}\n`;
}

/** The texts of all generated pages, by path in `docs/`. */
export function pages(): Map<string, string> {
  const kinds = (Object.keys(definitions) as KindName[]).sort();
  return new Map([
    ...kinds.map((kind) => [`resources/${fileOfKind(kind)}`, resourcePage(kind)] as const),
    ["README.md", indexPage(Object.keys(definitions))],
    ["reference.md", referencePage()],
    ["emulator-differences.md", differencesPage()],
    ["retries.md", retriesPage()],
    ["_index.md", overviewPage()],
    ["installation-configuration.md", installationPage()],
  ]);
}

/** The index of the pages, with the page of each kind. */
function indexPage(kinds: readonly string[]): string {
  const text = readFileSync(resolve(__dirname, "../../docs/README.md"), "utf8");
  const links = kinds.map((kind) => `[${kind}](resources/${fileOfKind(kind)})`).join(",\n");
  return text.replace(/(?<=\n## Resources\n\n)[\s\S]*?(?=\n\n## )/, `${links}: each argument and output`);
}

/** A table of what is retried. */
function retries(policies: Record<string, Policy>): string {
  const rows = Object.values(policies).map(({ what, after, seconds, argument }) => [
    what,
    after,
    argument === undefined ? `${seconds} s` : `${seconds} s, or ${code(argument)}`,
  ]);
  return table(["What", "Retried after", "For"], rows);
}

function retriesPage(): string {
  return `${generated}

# Retries

podlumi retries what may pass by itself. Nothing has to be set. Pulumi's status line shows what podlumi waits for.

## Requests

${retries(requests)}

## Cases of their own

${retries(situations)}

Before podlumi sends a create again that may have reached the service, it looks for what the request may have created. Before it sends a
change of a pod again, it looks at the pod.

A 400, 401, 402, 403 or 422 that the tables do not name fails at once. When the time is over, the error says which object has the
name, what uses the object to be deleted, or why each placement failed. [Troubleshooting](troubleshooting.md) explains the errors.

## Pauses and rate limits

- **Pauses** grow exponentially with full jitter. podlumi obeys \`Retry-After\` and \`RateLimit\`.
- **Rate limits**: REST and GraphQL have one each, which podlumi learns from the responses. It delays requests before the service has to
  refuse them, and slows down near the end of a limit that somebody else uses, too. These delays do not count as time of a retry.
`;
}
