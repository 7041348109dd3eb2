import { Option } from "commander";
import type { Api } from "../../provider/client/api";
import { functions } from "../../provider/functions";
import type { AvailabilityLevel, CpuType, GpuType } from "../functions/catalog";
import { oneOfThese } from "./arguments";
import { print, table } from "./output";

export const products = { pod: "POD", cluster: "CLUSTER", serverless: "SERVERLESS" } as const;

/** `--for`: what the hardware is rented for. */
export function productOption(words: readonly (keyof typeof products)[]): Option {
  return oneOfThese(new Option("--for <product>", "what it is rented for"), words).default("pod");
}

/** `--data-center`: the option may be given several times. */
export function dataCenterOption(): Option {
  return new Option(
    "--data-center <id>",
    "only what this data center has in stock; may be given several times",
  ).argParser((id: string, all: readonly string[] = []) => [...all, id]);
}

/** Fails for a data center that the catalog does not have. */
export async function mustKnow(api: Api, dataCenters: readonly string[] = []): Promise<void> {
  for (const id of dataCenters) await functions.getDataCenter.ask(api, { id });
}

export function isInStock({ availability = "NONE" }: { readonly availability?: AvailabilityLevel }): boolean {
  return availability !== "NONE";
}

const levels: readonly AvailabilityLevel[] = ["HIGH", "MEDIUM", "LOW"];

/** A type of hardware with the stock of these data centers alone. */
export function onlyIn<Type extends GpuType | CpuType>(ids: readonly string[] | undefined, type: Type): Type {
  if (ids === undefined) return type;
  const places = (type.dataCenters ?? []).filter(({ id }) => ids.includes(id));
  const best = levels.find((level) => places.some(({ availability }) => availability === level)) ?? "NONE";
  return { ...type, availability: best, dataCenters: places };
}

/** The two last columns of a table of hardware. */
export const stockColumns = ["STOCK", "DATA CENTERS"];

export function stockCells({ availability, dataCenters = [] }: GpuType | CpuType): string[] {
  return [availability ?? "", String(dataCenters.filter(isInStock).length)];
}

/** The stock of each data center, below the table of the only type. */
export function printPlaces({ dataCenters = [] }: GpuType | CpuType): void {
  if (dataCenters.length === 0) return;
  const rows = dataCenters.map((place) => [place.id, place.availability]);
  print(`\n${table({ heading: ["DATA CENTER", "STOCK"], rows })}`);
}
