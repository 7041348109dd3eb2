import type { Ask } from "../core/kind";
import { oneOf } from "../did-you-mean";
import { at } from "../path";
import { type Failure, invalid } from "../schema/failure";
import { isRecord, type Properties } from "../value";
import { type Entry, gpus, gpusIn } from "./catalog";
import { items, known } from "./catalog-warnings";
import { isGpuPool } from "./container";

/** Says which pool has the GPU that a program gives to an endpoint as to a pod: `gpu: { id: "NVIDIA L4" }`. */
export async function gpuInsteadOfPools({ gpu }: Properties, ask: Ask): Promise<Failure | undefined> {
  const id = known({ gpu }, isRecord(gpu) ? ["gpu", "id"] : ["gpu"]);
  if (id === undefined || at(gpu, "pools") !== undefined) return undefined;
  const type = (await ask(gpus))?.find((entry) => entry.id === id || entry.name === id);
  // A text may be a pool.
  if (type === undefined && !isRecord(gpu)) return undefined;
  return invalid(["gpu"], `takes GPU pools, not a GPU${hint(type, JSON.stringify(id))}`);
}

function hint(type: Entry | undefined, gpu: string): string {
  if (type === undefined) return ": write { pools: [...] }; `npx podlumi gpus` shows the pool of each GPU";
  return typeof type.pool === "string"
    ? `: write { pools: [${JSON.stringify(type.pool)}] }, the pool that has ${gpu}`
    : `, and the catalog has no pool with ${gpu}`;
}

/** Says which GPU types are in a pool that a program gives to a pod as to an endpoint: `gpu: { id: "ADA_24" }`. */
export async function poolInsteadOfGpu(inputs: Properties, ask: Ask): Promise<Failure | undefined> {
  const places = [[], ...items(inputs, "placements")].map((place) => [...place, "gpu", "id"]);
  const path = places.find((one) => isGpuPool(at(inputs, ...one)));
  const types = (path && (await ask(gpusIn([at(inputs, ...path)])))) ?? [];
  if (path === undefined || types.length === 0) return undefined;
  const ids = oneOf(types.map(({ id }) => id));
  return invalid(path, `takes a GPU type, and "${at(inputs, ...path)}" is a pool of them: write ${ids}`);
}
