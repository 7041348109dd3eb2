import type { Command } from "commander";
import { functions } from "../../../provider/functions";
import type { CpuStockArgs, CpuType } from "../../functions/catalog";
import { account } from "../account";
import { powerOfTwo } from "../arguments";
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
GB is the memory and $/H the price of one container with --vcpus vCPUs, as the catalog lists them,
without its disk. STOCK is the best of all data centers, for a container of that size. Flavors
without stock, or without that size, are left out, except with --all.

Examples:
  podlumi cpus
  podlumi cpus --vcpus 8 --for serverless
  podlumi cpus cpu5c --vcpus 16
  podlumi cpus --data-center EU-RO-1 --json | jq -r '.[0].id'`;

interface Options {
  readonly for: "pod" | "serverless";
  readonly vcpus: number;
  readonly dataCenter?: readonly string[];
  readonly all?: true;
  readonly json?: true;
}

/** `podlumi cpus`: CPU flavors with their stock and the price of a container, cheapest first. */
export function cpus(program: Command): void {
  program
    .command("cpus")
    .description("list CPU flavors with stock and price, the cheapest first")
    .argument("[id]", "only this flavor, with the stock of each data center")
    .addOption(productOption(["pod", "serverless"]))
    .option("--vcpus <number>", "vCPUs of one container, a power of two", powerOfTwo, 2)
    .addOption(dataCenterOption())
    .option("--all", "also those without stock, or without that size")
    .option("--json", "as JSON, with data centers")
    .addHelpText("after", below(examples))
    .action(list);
}

async function list(id: string | undefined, options: Options): Promise<void> {
  const { for: product, vcpus, dataCenter, all, json } = options;
  const flavors = await stockOf(id, options);
  const price = ({ price: { securePerVcpu, serverlessPerVcpu } }: CpuType) =>
    (product === "pod" ? securePerVcpu : serverlessPerVcpu) * vcpus;
  const fits = ({ vcpu: { min, max } }: CpuType) => min <= vcpus && vcpus <= max;
  const shown = flavors
    .map((cpu) => onlyIn(dataCenter, cpu))
    .filter((cpu) => id !== undefined || all || (isInStock(cpu) && fits(cpu)))
    .sort((a, b) => price(a) - price(b));
  if (json) return printJson(shown);
  const [first] = shown;
  if (first === undefined) return print("no CPU flavor has stock for this");
  const rows = shown.map((cpu) => [
    cpu.id,
    cpu.name,
    `${cpu.vcpu.min} to ${cpu.vcpu.max}`,
    fits(cpu) ? String(cpu.ramGbPerVcpu * vcpus) : "",
    fits(cpu) ? price(cpu).toFixed(2) : "",
    ...stockCells(cpu),
  ]);
  const heading = ["ID", "NAME", "VCPUS", "GB", "$/H", ...stockColumns];
  print(table({ heading, rows, numbers: ["GB", "$/H", "DATA CENTERS"] }));
  if (id !== undefined) printPlaces(first);
}

/** The CPU flavors of the catalog, with their stock. */
async function stockOf(
  id: string | undefined,
  { for: product, vcpus, dataCenter }: Options,
): Promise<CpuType[]> {
  const api = account();
  await mustKnow(api, dataCenter);
  const asked: CpuStockArgs = { product: [products[product]], vcpuCount: vcpus };
  if (id === undefined) return functions.getCpuTypes.ask(api, asked);
  return [await functions.getCpuType.ask(api, { id, ...asked })];
}
