import { type Command, Option } from "commander";
import { functions } from "../../../provider/functions";
import type { GpuStockArgs, Product } from "../../functions/catalog";
import { account } from "../account";
import { wholeNumber } from "../arguments";
import { print, printJson, table } from "../output";

const products = { pod: "POD", cluster: "CLUSTER", serverless: "SERVERLESS" } as const;

const examplesOfGpus = `
Prices are USD an hour for one GPU, as the catalog lists them. STOCK is the best of all data centers, for --count GPUs in one
machine. Types without stock are left out, unless you say --all.

Examples:
  podlumi gpus
  podlumi gpus --for serverless
  podlumi gpus --count 8 --cloud SECURE --json | jq -r '.[0].id'`;

interface GpuOptions {
  readonly for: keyof typeof products;
  readonly count: number;
  readonly cloud: "SECURE" | "COMMUNITY";
  readonly all?: true;
  readonly json?: true;
}

/** `podlumi gpus`: GPU types with their stock and prices, cheapest first. */
export function gpus(program: Command): void {
  program
    .command("gpus")
    .description("list GPU types with stock and price, the cheapest first")
    .addOption(
      new Option("--for <product>", "what it is rented for").choices(Object.keys(products)).default("pod"),
    )
    .option("--count <number>", "GPUs in one machine", wholeNumber(1, 64), 1)
    .addOption(
      new Option("--cloud <cloud>", "whose machines").choices(["SECURE", "COMMUNITY"]).default("SECURE"),
    )
    .option("--all", "also those without stock")
    .option("--json", "as JSON, with data centers and CUDA versions")
    .addHelpText("after", examplesOfGpus)
    .action(async ({ for: product, count, cloud, all, json }: GpuOptions) => {
      const asked: GpuStockArgs = { product: [products[product] as Product], count, cloud };
      const price = ({ price }: { price: { secure: number; community: number; serverless?: number } }) =>
        product === "serverless" ? price.serverless : cloud === "SECURE" ? price.secure : price.community;
      const found = (await functions.getGpuTypes.ask(account(), asked))
        .filter((gpu) => all || (gpu.availability ?? "NONE") !== "NONE")
        .filter((gpu) => all || (price(gpu) ?? 0) > 0)
        .sort((a, b) => (price(a) || Number.POSITIVE_INFINITY) - (price(b) || Number.POSITIVE_INFINITY));
      if (json) return printJson(found);
      if (found.length === 0) return print("no GPU type has stock for this");
      const rows = found.map((gpu) => [
        gpu.id,
        String(gpu.memory),
        gpu.pool ?? "",
        price(gpu) ? Number(price(gpu)).toFixed(2) : "",
        gpu.availability ?? "",
        (gpu.dataCenters ?? []).map(({ id }) => id).join(" "),
      ]);
      print(table(["ID", "GB", "POOL", "$/H", "STOCK", "DATA CENTERS"], rows));
    });
}

const examplesOfDataCenters = `
STORAGE tells which tiers of network volumes there are. GPUS are the types in stock for pods, one GPU each.

Examples:
  podlumi datacenters
  podlumi datacenters --gpu "NVIDIA L4"
  podlumi datacenters --json | jq -r '.[] | select(.networkVolumeTypes | length > 0) | .id'`;

/** `podlumi datacenters`: data centers with their storage and what they have in stock. */
export function dataCenters(program: Command): void {
  program
    .command("datacenters")
    .description("list data centers with their storage and the GPUs in stock")
    .option("--gpu <id>", "only those that have this GPU type in stock")
    .option("--json", "as JSON, with certifications and CPU flavors")
    .addHelpText("after", examplesOfDataCenters)
    .action(async ({ gpu, json }: { gpu?: string; json?: true }) => {
      const api = account();
      if (gpu !== undefined) await functions.getGpuType.ask(api, { id: gpu });
      const include = ["GPU_AVAILABILITY", "CPU_AVAILABILITY"] as const;
      const all = await functions.getDataCenters.ask(api, { include: [...include] });
      const found = all.filter(
        ({ gpuAvailability = [] }) => gpu === undefined || gpuAvailability.some(({ id }) => id === gpu),
      );
      if (json) return printJson(found);
      if (found.length === 0) return print("no data center has it in stock");
      const rows = found.map((place) => [
        place.id,
        place.region,
        place.networkVolumeTypes.join(" "),
        place.globalNetwork ? "yes" : "",
        String(place.gpuAvailability?.length ?? 0),
      ]);
      print(table(["ID", "REGION", "STORAGE", "GLOBAL NETWORK", "GPUS"], rows));
    });
}
