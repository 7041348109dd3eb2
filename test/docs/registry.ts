import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { version } from "../../package.json";
import { programOf } from "../harness/page";
import { cell, code, page, table } from "./markdown";
import { schema } from "./schema";

const root = resolve(__dirname, "../..");
const meta = (title: string, description: string) =>
  `---\ntitle: ${title}\nmeta_desc: ${description}\nlayout: package\n---`;
const generated =
  "<!-- For Pulumi's registry. Made by `npm run docs` from docs/languages.md and the schema: edit those. -->";

/** The program of docs/languages.md in TypeScript. */
export const inTypeScript = `import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";

const config = new pulumi.Config();

const data = new podlumi.NetworkVolume("data", { size: 50, dataCenter: "EU-RO-1" });
const token = new podlumi.Secret("token", { value: config.requireSecret("hfToken") });

const trainer = new podlumi.Pod("trainer", {
  image: "runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404",
  gpu: { id: "NVIDIA L4" },
  env: { HF_TOKEN: token.reference },
  mounts: { network: [{ volumeId: data.id, path: "/workspace" }] },
  dataCenterIds: ["EU-RO-1"],
});

export const ssh = trainer.ssh.apply((ssh) => ssh.proxy?.command);
`;

/** The overview of the package in Pulumi's registry. */
export function overviewPage(): string {
  const [, intro = ""] = readFileSync(join(root, "README.md"), "utf8").split("\n\n");
  const others = ["python", "go", "java", "yaml"];
  const tabs = [
    tab("typescript", inTypeScript),
    ...others.map((language) => tab(language, programOf(join(root, "docs/languages.md"), language))),
  ];
  return page(
    meta(
      "podlumi",
      "The podlumi provider for Pulumi manages pods, Serverless endpoints and volumes of RunPod.",
    ),
    generated,
    intro,
    "A change that would lose data fails in the preview until it is confirmed. After a killed run, the next `pulumi up`\n" +
      "takes over what that created. An emulator of the service runs programs without an account.",
    "## Example",
    `{{< chooser language "${["typescript", ...others]}" >}}\n${tabs.join("\n")}\n{{< /chooser >}}`,
  );
}

const tab = (language: string, program: string) =>
  `{{% choosable language ${language} %}}\n\n\`\`\`${language}\n${program}\`\`\`\n\n{{% /choosable %}}`;

interface Setting {
  readonly description: string;
  readonly defaultInfo?: { readonly environment: readonly string[] };
}

/** How the package is installed and configured, in Pulumi's registry. */
export function installationPage(): string {
  const { variables }: { variables: Record<string, Setting> } = JSON.parse(schema()).config;
  const rows = Object.entries(variables).map(([name, { description, defaultInfo }]) => [
    code(`podlumi:${name}`),
    code(defaultInfo?.environment.join() ?? ""),
    cell(description.replace(/\nDefault: .*/s, "")),
  ]);
  return page(
    meta(
      "podlumi Installation & Configuration",
      "How to install and configure the podlumi provider for Pulumi.",
    ),
    generated,
    "## Installation",
    "No package is published yet: a clone of podlumi makes them.",
    [
      `* JavaScript and TypeScript: \`npm pack\` in the clone, and \`npm install ../podlumi/podlumi-${version}.tgz\` in your project. It needs no plugin`,
      "* Python, Go and Java: install the plugin, then `pulumi package add podlumi` writes the SDK to `sdks/podlumi`",
      "* YAML: install the plugin",
    ].join("\n"),
    "### Plugin",
    "The plugin needs Node.js 20.19 or later. In the clone:",
    `\`\`\`sh\nnpm ci && npm run build\npulumi plugin install resource podlumi ${version} --file dist/plugin --reinstall\n\`\`\``,
    "## Configuration",
    "Set the API key of your RunPod account, as a secret or by the environment:",
    "```sh\npulumi config set --secret podlumi:apiKey\n```",
    "```sh\nexport RUNPOD_API_KEY=<key>\n```",
    table(["Configuration", "Environment", "What it is"], rows),
  );
}
