import { type Command, Option } from "commander";
import type { Api } from "../../../provider/client/api";
import { functions } from "../../../provider/functions";
import type {
  AvailabilityLevel,
  CpuStockArgs,
  CpuType,
  GpuStockArgs,
  GpuType,
  Product,
  Stock,
} from "../../functions/catalog";
import { account } from "../account";
import { oneOfThese, powerOfTwo, wholeNumber } from "../arguments";
import { below } from "../help";
import { print, printJson, table } from "../output";

const products = { pod: "POD", cluster: "CLUSTER", serverless: "SERVERLESS" } as const;

const inStock = ({ availability = "NONE" }: { readonly availability?: AvailabilityLevel }) =>
  availability !== "NONE";

const levels: readonly AvailabilityLevel[] = ["HIGH", "MEDIUM", "LOW"];

/** A type of hardware with the stock of these data centers alone. */
function onlyIn<Type extends GpuType | CpuType>(ids: readonly string[] | undefined, type: Type): Type {
  if (ids === undefined) return type;
  const places = (type.dataCenters ?? []).filter(({ id }) => ids.includes(id));
  const best = levels.find((level) => places.some(({ availability }) => availability === level)) ?? "NONE";
  return { ...type, availability: best, dataCenters: places };
}

/** Fails for a data center that the catalog does not have. */
async function mustKnow(api: Api, dataCenters: readonly string[] = []): Promise<void> {
  for (const id of dataCenters) await functions.getDataCenter.ask(api, { id });
}

/** The stock of each data center, below the table of the one type that is asked for. */
function printPlaces(places: readonly Stock[] = []): void {
  if (places.length === 0) return;
  print("");
  const rows = places.map((place) => [place.id, place.availability]);
  print(table({ heading: ["DATA CENTER", "STOCK"], rows }));
}

const inDataCenter = "only what this data center has in stock; may be given several times";

const onlyThese = (option: string, all: readonly string[] = []) => [...all, option];

const examplesOfGpus = `
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

interface GpuOptions {
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
    .addOption(
      oneOfThese(new Option("--for <product>", "what it is rented for"), Object.keys(products)).default(
        "pod",
      ),
    )
    .option("--count <number>", "GPUs in one machine", wholeNumber(1, 64), 1)
    .addOption(
      oneOfThese(new Option("--cloud <cloud>", "whose machines"), ["SECURE", "COMMUNITY"]).default("SECURE"),
    )
    .option("--data-center <id>", inDataCenter, onlyThese)
    .option("--all", "also those without stock")
    .option("--json", "as JSON, with data centers and CUDA versions")
    .addHelpText("after", below(examplesOfGpus))
    .action(listGpus);
}

async function listGpus(id: string | undefined, options: GpuOptions): Promise<void> {
  const { dataCenter, all, json } = options;
  const answered = await stockOf(id, options);
  const price = priceFor(options);
  const offered = (gpu: GpuType) => inStock(gpu) && (price(gpu) ?? 0) > 0;
  const found = answered
    .map((gpu) => onlyIn(dataCenter, gpu))
    .filter((gpu) => id !== undefined || all || offered(gpu))
    .sort((a, b) => (price(a) || Number.POSITIVE_INFINITY) - (price(b) || Number.POSITIVE_INFINITY));
  if (json) return printJson(found);
  if (found.length === 0) return print("no GPU type has stock for this");
  const rows = found.map((gpu) => [
    gpu.id,
    String(gpu.memory),
    gpu.pool ?? "",
    price(gpu) ? Number(price(gpu)).toFixed(2) : "",
    gpu.availability ?? "",
    String(gpu.dataCenters?.filter(inStock).length ?? 0),
  ]);
  const heading = ["ID", "GB", "POOL", "$/H", "STOCK", "DATA CENTERS"];
  print(table({ heading, rows, numbers: ["GB", "$/H", "DATA CENTERS"] }));
  if (id !== undefined) printPlaces(found[0]?.dataCenters);
}

/** The GPU types of the catalog, with their stock. */
async function stockOf(
  id: string | undefined,
  { for: product, count, cloud, dataCenter }: GpuOptions,
): Promise<GpuType[]> {
  const api = account();
  await mustKnow(api, dataCenter);
  const asked: GpuStockArgs = { product: [products[product] as Product], count, cloud };
  if (id === undefined) return functions.getGpuTypes.ask(api, asked);
  return [await functions.getGpuType.ask(api, { id, ...asked })];
}

/** Returns a function that tells the price of a GPU type for what it is rented for. */
function priceFor({ for: product, cloud }: GpuOptions): (gpu: GpuType) => number | undefined {
  return ({ price }) =>
    product === "serverless" ? price.serverless : cloud === "SECURE" ? price.secure : price.community;
}

const examplesOfCpus = `
GB is the memory and $/H the price of one container with --vcpus vCPUs, as the catalog lists them,
without its disk. STOCK is the best of all data centers, for a container of that size. Flavors
without stock, or without that size, are left out, except with --all.

Examples:
  podlumi cpus
  podlumi cpus --vcpus 8 --for serverless
  podlumi cpus cpu5c --vcpus 16
  podlumi cpus --data-center EU-RO-1 --json | jq -r '.[0].id'`;

interface CpuOptions {
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
    .addOption(
      oneOfThese(new Option("--for <product>", "what it is rented for"), ["pod", "serverless"]).default(
        "pod",
      ),
    )
    .option("--vcpus <number>", "vCPUs of one container, a power of two", powerOfTwo, 2)
    .option("--data-center <id>", inDataCenter, onlyThese)
    .option("--all", "also those without stock, or without that size")
    .option("--json", "as JSON, with data centers")
    .addHelpText("after", below(examplesOfCpus))
    .action(listCpus);
}

async function listCpus(id: string | undefined, options: CpuOptions): Promise<void> {
  const { for: product, vcpus, dataCenter, all, json } = options;
  const api = account();
  await mustKnow(api, dataCenter);
  const asked: CpuStockArgs = { product: [products[product]], vcpuCount: vcpus };
  const answered =
    id === undefined
      ? await functions.getCpuTypes.ask(api, asked)
      : [await functions.getCpuType.ask(api, { id, ...asked })];
  const price = ({ price: { securePerVcpu, serverlessPerVcpu } }: CpuType) =>
    (product === "pod" ? securePerVcpu : serverlessPerVcpu) * vcpus;
  const fits = ({ vcpu: { min, max } }: CpuType) => min <= vcpus && vcpus <= max;
  const found = answered
    .map((cpu) => onlyIn(dataCenter, cpu))
    .filter((cpu) => id !== undefined || all || (inStock(cpu) && fits(cpu)))
    .sort((a, b) => price(a) - price(b));
  if (json) return printJson(found);
  if (found.length === 0) return print("no CPU flavor has stock for this");
  const rows = found.map((cpu) => [
    cpu.id,
    cpu.name,
    `${cpu.vcpu.min} to ${cpu.vcpu.max}`,
    fits(cpu) ? String(cpu.ramGbPerVcpu * vcpus) : "",
    fits(cpu) ? price(cpu).toFixed(2) : "",
    cpu.availability ?? "",
    String(cpu.dataCenters?.filter(inStock).length ?? 0),
  ]);
  const heading = ["ID", "NAME", "VCPUS", "GB", "$/H", "STOCK", "DATA CENTERS"];
  print(table({ heading, rows, numbers: ["GB", "$/H", "DATA CENTERS"] }));
  if (id !== undefined) printPlaces(found[0]?.dataCenters);
}

const examplesOfDataCenters = `
STORAGE tells which tiers of network volumes there are. GPU TYPES is the number of types that are in
stock for pods, with one GPU in a machine, whatever the cloud: \`podlumi gpus\` shows those of one
cloud. With --gpu, STOCK is how much of that type there is.

Examples:
  podlumi datacenters
  podlumi datacenters --gpu "NVIDIA L4"
  podlumi datacenters --json | jq -r '.[] | select(.globalNetwork) | .id'`;

/** `podlumi datacenters`: data centers with their storage and what they have in stock. */
export function dataCenters(program: Command): void {
  program
    .command("datacenters")
    .description("list data centers with their storage and the GPUs in stock")
    .option("--gpu <id>", "only those that have this GPU type in stock")
    .option("--json", "as JSON, with certifications and CPU flavors")
    .addHelpText("after", below(examplesOfDataCenters))
    .action(async ({ gpu, json }: { gpu?: string; json?: true }) => {
      const api = account();
      if (gpu !== undefined) await functions.getGpuType.ask(api, { id: gpu });
      const include = ["GPU_AVAILABILITY", "CPU_AVAILABILITY"] as const;
      const all = await functions.getDataCenters.ask(api, { include: [...include] });
      const found = all
        .map((place) => ({ place, stock: (place.gpuAvailability ?? []).filter(inStock) }))
        .filter(({ stock }) => gpu === undefined || stock.some(({ id }) => id === gpu));
      if (json) return printJson(found.map(({ place }) => place));
      if (found.length === 0) return print("no data center has it in stock");
      const rows = found.map(({ place, stock }) => [
        place.id,
        place.region,
        place.networkVolumeTypes.join(" "),
        place.globalNetwork ? "yes" : "",
        gpu === undefined ? String(stock.length) : (stock.find(({ id }) => id === gpu)?.availability ?? ""),
      ]);
      const last = gpu === undefined ? "GPU TYPES" : "STOCK";
      const heading = ["ID", "REGION", "STORAGE", "GLOBAL NETWORK", last];
      print(table({ heading, rows, numbers: ["GPU TYPES"] }));
    });
}
