import { type Command, Option } from "commander";
import { functions } from "../../../provider/functions";
import type { CatalogTemplatesArgs, FoundTemplate } from "../../functions/lookups";
import { account } from "../account";
import { oneOfThese } from "../arguments";
import { below } from "../help";
import { print, printJson, table } from "../output";

const examples = `
These are templates of others that every account may use, by their id: templateId of a pod or of an
endpoint, as FOR says. The service lists at most 100 of each source, and no more can be searched.
The account's own are in \`podlumi ls templates\`.

Examples:
  podlumi templates
  podlumi templates pytorch
  podlumi templates comfy --source community
  podlumi templates pytorch --json | jq '.[0] | { image, ports, mounts }'`;

interface Options {
  readonly source: NonNullable<CatalogTemplatesArgs["source"]>;
  readonly json?: true;
}

/** `podlumi templates`: the public templates of the catalog. */
export function templates(program: Command): void {
  program
    .command("templates")
    .description("list public templates, by a word in their name or image")
    .argument("[word]", "only those with this text in the id, the name or the image")
    .addOption(
      oneOfThese(new Option("--source <source>", "whose: RunPod's own, checked by RunPod, or all others"), [
        "official",
        "verified",
        "community",
      ]).default("official"),
    )
    .option("--json", "as JSON, with all settings")
    .addHelpText("after", below(examples))
    .action(async (word: string | undefined, { source, json }: Options) => {
      const all = await functions.getCatalogTemplates.ask(account(), { source });
      const found = all.filter((one) => word === undefined || has(one, word));
      if (json) return printJson(found);
      if (found.length === 0)
        return print(`none of ${all.length} ${source} templates has this in its id, name or image`);
      const rows = found.map(({ id, name, image, serverless }) => [
        id,
        name,
        serverless ? "endpoint" : "pod",
        image,
      ]);
      print(table({ heading: ["ID", "NAME", "FOR", "IMAGE"], rows, free: ["NAME", "IMAGE"] }));
    });
}

const has = ({ id, name, image }: FoundTemplate, word: string) =>
  [id, name, image].some((text) => text.toLowerCase().includes(word.toLowerCase()));
