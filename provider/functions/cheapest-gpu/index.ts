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
  const { minMemory = 0, count = 1, maxPrice, manufacturer = "NVIDIA" } = args;
  const { cloud = "SECURE", dataCenters = [], available = true } = args;
  const kind = cloud === "SECURE" ? "secure" : "community";
  // For all GPUs, without rounding errors of floating point.
  const priceOf = (gpu: GpuType) => Number((gpu.price[kind] * count).toFixed(6));
  const places = (gpu: GpuType) =>
    dataCenters.filter((id) =>
      gpu.dataCenters?.some((place) => place.id === id && place.availability !== "NONE"),
    );
  const enough: Wish = [`with at least ${minMemory} GB`, (gpu) => gpu.memory >= minMemory];
  const cheap: Wish = [`for at most ${maxPrice} USD an hour`, (gpu) => priceOf(gpu) <= Number(maxPrice)];
  const inStock: Wish =
    dataCenters.length === 0
      ? ["in stock", (gpu) => (gpu.availability ?? "NONE") !== "NONE"]
      : [`in stock in ${dataCenters.join(" or ")}`, (gpu) => places(gpu).length > 0];
  const wishes: Wish[] = [
    [`from ${manufacturer}`, (gpu) => gpu.manufacturer === manufacturer],
    [`in the ${cloud} cloud`, (gpu) => gpu[kind] && gpu.price[kind] > 0],
    ...(minMemory > 0 ? [enough] : []),
    [`${count} in one machine`, (gpu) => gpu.maxCount[kind] >= count],
    ...(maxPrice === undefined ? [] : [cheap]),
    ...(available ? [inStock] : []),
  ];
  const filters = available ? stock({ product: ["POD"], count, cloud }) : {};
  const fitting = await fittingAmong(api, filters, wishes, dataCenters);
  const sorted = fitting.sort(
    (a, b) => priceOf(a) - priceOf(b) || b.memory - a.memory || (a.id < b.id ? -1 : 1),
  );
  const [best] = sorted as [GpuType];
  const place = (gpu: GpuType) => ({
    gpu: { id: gpu.id, count },
    cloud,
    dataCenterIds: available ? places(gpu) : dataCenters,
  });
  return {
    ...place(best),
    price: priceOf(best),
    placements: sorted.map(place),
    why:
      `the cheapest of ${fitting.length} GPU types that are ${inWords(wishes)}: ` +
      `${best.id} with ${best.memory} GB at ${priceOf(best)} USD an hour`,
  };
}

const inWords = (wishes: readonly Wish[]) => wishes.map(([words]) => words).join(", ");

/** The GPU types that meet all wishes. Fails with the first wish that none meets. */
async function fittingAmong(
  api: Api,
  filters: object,
  wishes: readonly Wish[],
  dataCenters: readonly string[],
): Promise<GpuType[]> {
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
