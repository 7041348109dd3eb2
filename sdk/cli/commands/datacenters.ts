import type { Command } from "commander";
import { functions } from "../../../provider/functions";
import { account } from "../account";
import { below } from "../help";
import { print, printJson, table } from "../output";
import { isInStock } from "../stock";

const examples = `
STORAGE tells which tiers of network volumes there are. GPU TYPES is the number of types that are in
stock for pods, with one GPU in a machine, whatever the cloud: \`podlumi gpus\` shows those of one
cloud. With --gpu, STOCK is how much of that type there is.

Examples:
  podlumi datacenters
  podlumi datacenters --gpu "NVIDIA L4"
  podlumi datacenters --json | jq -r '.[] | select(.globalNetwork) | .id'`;

interface Options {
  readonly gpu?: string;
  readonly json?: true;
}

/** `podlumi datacenters`: data centers with their storage and what they have in stock. */
export function dataCenters(program: Command): void {
  program
    .command("datacenters")
    .description("list data centers with their storage and the GPUs in stock")
    .option("--gpu <id>", "only those that have this GPU type in stock")
    .option("--json", "as JSON, with certifications and CPU flavors")
    .addHelpText("after", below(examples))
    .action(list);
}

async function list({ gpu, json }: Options): Promise<void> {
  const api = account();
  if (gpu !== undefined) await functions.getGpuType.ask(api, { id: gpu });
  const all = await functions.getDataCenters.ask(api, { include: ["GPU_AVAILABILITY", "CPU_AVAILABILITY"] });
  const shown = all
    .map((place) => ({ place, stock: (place.gpuAvailability ?? []).filter(isInStock) }))
    .filter(({ stock }) => gpu === undefined || stock.some(({ id }) => id === gpu));
  if (json) return printJson(shown.map(({ place }) => place));
  if (shown.length === 0) return print("no data center has it in stock");
  const rows = shown.map(({ place, stock }) => [
    place.id,
    place.region,
    place.networkVolumeTypes.join(" "),
    place.globalNetwork ? "yes" : "",
    gpu === undefined ? String(stock.length) : (stock.find(({ id }) => id === gpu)?.availability ?? ""),
  ]);
  const last = gpu === undefined ? "GPU TYPES" : "STOCK";
  print(
    table({ heading: ["ID", "REGION", "STORAGE", "GLOBAL NETWORK", last], rows, numbers: ["GPU TYPES"] }),
  );
}
