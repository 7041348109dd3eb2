import * as z from "zod";
import type { Api } from "../../client/api";
import { ExpectedError } from "../../client/errors";
import type { GpuType } from "../catalog/types";
import { type FunctionDefinition, text } from "../definition";
import { entry, listed, stock } from "../listing";
import type { CheapestGpu, CheapestGpuArgs } from "./types";

/** A requirement in words and as a test. */
type Wish = readonly [words: string, met: (gpu: GpuType) => boolean];

async function ask(api: Api, args: CheapestGpuArgs): Promise<CheapestGpu> {
  const { count = 1, cloud = "SECURE", dataCenters = [], available = true } = args;
  const kind = kindOf(cloud);
  const wishes = wishesOf(args);
  const fitting = await fittingAmong(api, args, wishes);
  const sorted = fitting.sort(
    (a, b) => a.price[kind] - b.price[kind] || b.memory - a.memory || (a.id < b.id ? -1 : 1),
  );
  const [best] = sorted as [GpuType];
  const place = (gpu: GpuType) => ({
    gpu: { id: gpu.id, count },
    cloud,
    dataCenterIds: available ? places(gpu, dataCenters) : dataCenters,
  });
  return {
    ...place(best),
    price: priceOf(best, args),
    placements: sorted.map(place),
    why:
      `the cheapest of ${fitting.length} GPU types that are ${inWords(wishes)}: ` +
      `${best.id} with ${best.memory} GB at ${priceOf(best, args)} USD an hour`,
  };
}

const kindOf = (cloud: CheapestGpu["cloud"]) => (cloud === "SECURE" ? "secure" : "community");

const inWords = (wishes: readonly Wish[]) => wishes.map(([words]) => words).join(", ");

/** USD an hour for all GPUs, without rounding errors of floating point. */
function priceOf(gpu: GpuType, { count = 1, cloud = "SECURE" }: CheapestGpuArgs): number {
  return Number((gpu.price[kindOf(cloud)] * count).toFixed(6));
}

/** The data centers with a GPU type in stock. */
function places(gpu: GpuType, dataCenters: readonly string[]): string[] {
  return dataCenters.filter((id) =>
    gpu.dataCenters?.some((place) => place.id === id && place.availability !== "NONE"),
  );
}

function wishesOf(args: CheapestGpuArgs): Wish[] {
  const { minMemory = 0, count = 1, cloud = "SECURE", dataCenters = [], available = true } = args;
  const { manufacturer = "NVIDIA", maxPrice } = args;
  const kind = kindOf(cloud);
  const inStock: Wish =
    dataCenters.length === 0
      ? ["in stock", (gpu) => (gpu.availability ?? "NONE") !== "NONE"]
      : [`in stock in ${dataCenters.join(" or ")}`, (gpu) => places(gpu, dataCenters).length > 0];
  const enough: Wish = [`with at least ${minMemory} GB`, (gpu) => gpu.memory >= minMemory];
  const cheap: Wish = [
    `for at most ${maxPrice} USD an hour`,
    (gpu) => priceOf(gpu, args) <= Number(maxPrice),
  ];
  return [
    [`from ${manufacturer}`, (gpu) => gpu.manufacturer === manufacturer],
    [`in the ${cloud} cloud`, (gpu) => gpu[kind] && gpu.price[kind] > 0],
    ...(minMemory > 0 ? [enough] : []),
    [`${count} in one machine`, (gpu) => gpu.maxCount[kind] >= count],
    ...(maxPrice === undefined ? [] : [cheap]),
    ...(available ? [inStock] : []),
  ];
}

/** The GPU types that meet all wishes. Fails with the first wish that none meets. */
async function fittingAmong(
  api: Api,
  { count = 1, cloud = "SECURE", dataCenters = [], available = true }: CheapestGpuArgs,
  wishes: readonly Wish[],
): Promise<GpuType[]> {
  const filters = available ? stock({ product: ["POD"], count, cloud }) : {};
  let fitting = await listed<GpuType>(api, "gpus", filters);
  for (const [words, met] of wishes) {
    const meeting = fitting.filter(met);
    if (meeting.length === 0) {
      for (const id of dataCenters) await entry(api, "dataCenters", id, {}); // Fails for an unknown one.
      throw new ExpectedError(
        `no GPU type fits: ${inWords(wishes)}. Of ${fitting.length} that met the conditions before, none is ${words}`,
        "PODLUMI-NO-MATCH",
      );
    }
    fitting = meeting;
  }
  return fitting;
}

export const cheapestGpu: FunctionDefinition<CheapestGpuArgs, CheapestGpu> = {
  args: {
    minMemory: z.number().min(0).optional(),
    count: z.int().min(1).optional(),
    maxPrice: z.number().min(0).optional(),
    cloud: z.enum(["SECURE", "COMMUNITY"]).optional(),
    dataCenters: z.array(text).optional(),
    manufacturer: z.enum(["NVIDIA", "AMD"]).optional(),
    available: z.boolean().optional(),
  },
  ask,
};
