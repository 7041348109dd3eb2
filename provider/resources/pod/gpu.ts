import * as z from "zod";
import { isAtLeast } from "../../compare-versions";
import { declaration } from "../../core/state/declared";
import { at } from "../../path";
import { type ChangeRule, change } from "../../schema/field";
import { measured } from "../../schema/schemas";
import { covers, hasUnknown, isEmpty, isRecord, type Properties } from "../../value";
import { cudaConstraints, gpuTypeId } from "../container";

/** GPUs, and what they ask of their host, which the service never returns. */
export const gpu = z.strictObject({
  id: gpuTypeId,
  count: z.int().min(1).optional(),
  ...cudaConstraints,
  minRamPerGpu: measured("GB", z.int().min(1)).optional(),
  minVcpuCountPerGpu: z.int().min(1).optional(),
});

/** The GPUs that a pod could have been created with, and the most that it could have asked of its host. */
function gpuOf({ gpu, cudaVersion }: Properties): unknown {
  if (!isRecord(gpu)) return undefined;
  const { id, count, vcpuCount, memory } = gpu;
  const each = (total: unknown) =>
    typeof total === "number" ? Math.floor(total / Number(count)) : undefined;
  return {
    id,
    count,
    minCudaVersion: cudaVersion ?? undefined,
    minRamPerGpu: each(memory),
    minVcpuCountPerGpu: each(vcpuCount),
  };
}

/** The host of a pod has what `gpu` asks of it. `untold` is the result where the pod does not tell. */
function hostMeets(pod: Properties, asked: Properties, untold: boolean): boolean {
  const host = Object(gpuOf(pod)) as Properties;
  const meets = (name: string, has: string, test: (asked: unknown, has: unknown) => boolean) =>
    isEmpty(asked[name]) || (host[has] === undefined ? untold : test(asked[name], host[has]));
  const isEnough = (asked: unknown, has: unknown) => Number(has) >= Number(asked);
  return (
    meets("allowedCudaVersions", "minCudaVersion", (allowed, has) => (allowed as unknown[]).includes(has)) &&
    meets("minCudaVersion", "minCudaVersion", (least, has) => isAtLeast(String(has), String(least))) &&
    meets("minRamPerGpu", "minRamPerGpu", isEnough) &&
    meets("minVcpuCountPerGpu", "minVcpuCountPerGpu", isEnough)
  );
}

/** A pod stays while it has the GPUs and its host has what they ask for; otherwise it is replaced. */
const gpuChange: ChangeRule = (from, to, { state, inputs }) => {
  if (inputs.placements !== undefined) return "none";
  if (!isRecord(to) || hasUnknown(to)) return "replace";
  // Without a count of its own, an adopted pod keeps the one that it has.
  const wasCounted = at(declaration(state).gpu, "count") !== undefined;
  const { id, count = wasCounted ? 1 : undefined } = to;
  const hasGpus = covers(state.gpu, { id, ...(count !== undefined && { count }) });
  return hasGpus && hostMeets(state, to, from === undefined) ? "update" : "replace";
};

export const gpuField = change(gpu.optional(), gpuChange, {
  cleared: undefined,
  lasting: true,
  clearedKeys: { count: 1 },
  writeOnly: ["allowedCudaVersions", "minCudaVersion", "minRamPerGpu", "minVcpuCountPerGpu"],
  createOnly: true,
  held: gpuOf,
  // Without a count, the service may find no machine at all. (API: Behaviours, creation and capacity)
  toRequest: (value) => ({ count: 1, ...(value as object) }),
});
