import { type Command, Option } from "commander";
import { functions } from "../../../provider/functions";
import type { GpuStockArgs, GpuType } from "../../functions/catalog";
import { account } from "../account";
import { oneOfThese, wholeNumber } from "../arguments";
import { below } from "../help";
import { print, printJson, table } from "../output";
import {
  dataCenterOption,
  isInStock,
  mustKnow,
  onlyIn,
  printPlaces,
  productOption,
  products,
  stockCells,
  stockColumns,
} from "../stock";

const examples = `
Prices are USD an hour for one GPU, as the catalog lists them. STOCK is the best of all data
centers, for --count GPUs in one machine. DATA CENTERS counts those that have it in stock. Types
without stock are left out, except with --all. Name a type to see its data centers. With
--data-center, STOCK and DATA CENTERS cover only those data centers; the catalog has one price for
all of them.

Examples:
  podlumi gpus
  podlumi gpus "NVIDIA L4"
  podlumi gpus --for serverless
  podlumi gpus --data-center EU-RO-1 --data-center EU-SE-1
  podlumi gpus --count 8 --cloud SECURE --json | jq -r '.[0].id'`;

interface Options {
  readonly for: keyof typeof products;
  readonly count: number;
  readonly cloud: "SECURE" | "COMMUNITY";
  readonly dataCenter?: readonly string[];
  readonly all?: true;
  readonly json?: true;
}

/** `podlumi gpus`: GPU types with their stock and prices, cheapest first. */
export function gpus(program: Command): void {
  program
    .command("gpus")
    .description("list GPU types with stock and price, the cheapest first")
    .argument("[id]", "only this type, with the stock of each data center")
    .addOption(productOption(["pod", "cluster", "serverless"]))
    .option("--count <number>", "GPUs in one machine", wholeNumber(1, 64), 1)
    .addOption(
      oneOfThese(new Option("--cloud <cloud>", "whose machines"), ["SECURE", "COMMUNITY"]).default("SECURE"),
    )
    .addOption(dataCenterOption())
    .option("--all", "also those without stock")
    .option("--json", "as JSON, with data centers and CUDA versions")
    .addHelpText("after", below(examples))
    .action(list);
}

async function list(id: string | undefined, options: Options): Promise<void> {
  const { dataCenter, all, json } = options;
  const types = await stockOf(id, options);
  const price = priceFor(options);
  const isOffered = (gpu: GpuType) => isInStock(gpu) && (price(gpu) ?? 0) > 0;
  const shown = types
    .map((gpu) => onlyIn(dataCenter, gpu))
    .filter((gpu) => id !== undefined || all || isOffered(gpu))
    .sort((a, b) => (price(a) || Number.POSITIVE_INFINITY) - (price(b) || Number.POSITIVE_INFINITY));
  if (json) return printJson(shown);
  const [first] = shown;
  if (first === undefined) return print("no GPU type has stock for this");
  const rows = shown.map((gpu) => [
    gpu.id,
    String(gpu.memory),
    gpu.pool ?? "",
    price(gpu) ? Number(price(gpu)).toFixed(2) : "",
    ...stockCells(gpu),
  ]);
  const heading = ["ID", "GB", "POOL", "$/H", ...stockColumns];
  print(table({ heading, rows, numbers: ["GB", "$/H", "DATA CENTERS"] }));
  if (id !== undefined) printPlaces(first);
}

/** The GPU types of the catalog, with their stock. */
async function stockOf(
  id: string | undefined,
  { for: product, count, cloud, dataCenter }: Options,
): Promise<GpuType[]> {
  const api = account();
  await mustKnow(api, dataCenter);
  const asked: GpuStockArgs = { product: [products[product]], count, cloud };
  if (id === undefined) return functions.getGpuTypes.ask(api, asked);
  return [await functions.getGpuType.ask(api, { id, ...asked })];
}

/** Returns a function that tells the price of a GPU type for what it is rented for. */
function priceFor({ for: product, cloud }: Options): (gpu: GpuType) => number | undefined {
  return ({ price }) =>
    product === "serverless" ? price.serverless : cloud === "SECURE" ? price.secure : price.community;
}
