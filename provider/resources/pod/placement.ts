import * as z from "zod";
import { situations } from "../../client/policy";
import { at } from "../../path";
import { type ChangeRule, change, type FieldTable, inPlaceWhere } from "../../schema/field";
import { type Rule, rule } from "../../schema/rule";
import { covers, hasUnknown, isEmpty, isRecord, isUnknown, type Properties } from "../../value";
import { placesForPinned, placesForPod } from "../../words/limits";
import { isNetworked } from "../catalog";
import { podWarnings } from "../catalog-advice";
import { cpu, dataCenterId } from "../container";
import { computeFailure } from "../container/rules";
import { createWhereRoom } from "../room";
import { gpu, gpuField } from "./gpu";

const cloud = z.enum(["SECURE", "COMMUNITY"]);

const placement = z.strictObject({
  gpu: gpu.optional(),
  cpu: cpu.optional(),
  cloud: cloud.optional(),
  dataCenterIds: z.array(dataCenterId).optional(),
});

const alone = ["gpu", "cpu", "cloud", "dataCenterIds"] as const;

/** A program gives one place in the fields of the pod, or a list of places in `placements`. */
export const placementRules: readonly Rule[] = [
  rule(["placements", ...alone], (inputs) => {
    const beside = alone.find((name) => inputs[name] !== undefined);
    if (inputs.placements === undefined || beside === undefined) return undefined;
    return { property: beside, reason: "stands in placements instead: remove it here, or remove placements" };
  }),
  rule(["placements", "gpu", "cpu"], (inputs) => {
    if (inputs.placements === undefined) return computeFailure(inputs, [], "cpu, or placements");
    return places(inputs)
      .map((place, index) => (isUnknown(place) ? undefined : computeFailure(place, ["placements", index])))
      .find((failure) => failure !== undefined);
  }),
];

/** The places that the inputs allow. */
export function places(inputs: Properties): Properties[] {
  return Array.isArray(inputs.placements) ? inputs.placements : [inputs];
}

export function isAmd(place: Properties): boolean {
  return String(at(place, "gpu", "id")).startsWith("AMD");
}

/** The index of a pod's place in `placements`: the first place that the pod fits. */
export function placeOf(pod: Properties, placements: unknown): number | undefined {
  if (!Array.isArray(placements)) return undefined;
  const index = placements.findIndex((place) => allows(place, pod));
  return index < 0 ? undefined : index;
}

/** Ignores what only a host must have. */
function allows({ gpu, cpu, cloud = "SECURE", dataCenterIds }: Properties, pod: Properties): boolean {
  const wanted = isRecord(gpu) ? { id: gpu.id, count: gpu.count ?? 1 } : undefined;
  return (
    covers(pod.gpu, wanted) &&
    covers(pod.cpu, cpu) &&
    pod.cloud === cloud &&
    isAllowed(dataCenterIds, pod.dataCenterId)
  );
}

/** Without any, all data centers are allowed. */
export function isAllowed(dataCenterIds: unknown, id: unknown): boolean {
  return isEmpty(dataCenterIds) || (dataCenterIds as unknown[]).includes(id);
}

/** A pod stays while its place is in the list; otherwise it is replaced. Another list changes the state: `placement` is an index. */
const placementsChange: ChangeRule = (_from, to, { state }) =>
  placeOf(state, to) === undefined ? "replace" : "update";

/**
 * A pod stays while the program allows its data center; otherwise it is replaced. Other data centers then change only the state: where
 * they count is where another pod would run.
 */
const dataCentersChange: ChangeRule = (_from, to, { state, inputs }) => {
  if (inputs.placements !== undefined) return "none";
  return !hasUnknown(to) && isAllowed(to, state.dataCenterId) ? "update" : "replace";
};

/** A pod stays while its data center has the network that it is to get; otherwise it is replaced. (API: Pods, update) */
const networkingChange: ChangeRule = (from, to, context) => {
  const { dataCenterId } = context.state;
  const joins = isUnknown(to) || at(to, "enabled") === true;
  return joins ? inPlaceWhere((api) => isNetworked(api, dataCenterId))(from, to, context) : "update";
};

/** The one place that a pod could have been created with, as far as it tells: a stopped pod does not tell its GPU. */
function placementsOf(pod: Properties): unknown {
  const { gpu, cpu, cloud, dataCenterId } = pod;
  if (isEmpty(gpu ?? cpu) || isEmpty(dataCenterId)) return undefined;
  const cpus = isRecord(cpu) ? { cpu: { id: cpu.id, vcpuCount: cpu.vcpuCount } } : {};
  const gpus = isRecord(gpu) ? { gpu: { id: gpu.id, count: gpu.count } } : {};
  return [{ ...gpus, ...cpus, cloud, dataCenterIds: [dataCenterId] }];
}

/** Ignored while `placements` is set. */
const replaceUnlessPlaced: ChangeRule = (_from, _to, { inputs }) =>
  inputs.placements === undefined ? "replace" : "none";

/** The fields that decide where a pod may run. */
export const placementFields = {
  gpu: gpuField,
  cpu: change(cpu.optional(), replaceUnlessPlaced, { cleared: undefined, lasting: true }),
  // assumes: value * /pods*: *cloud
  cloud: change(cloud.optional(), replaceUnlessPlaced, { cleared: "SECURE", lasting: true }),
  dataCenterIds: change(z.array(dataCenterId).optional(), dataCentersChange, {
    cleared: [],
    writeOnly: true,
    createOnly: true,
    held: ({ dataCenterId }) => (isEmpty(dataCenterId) ? undefined : [dataCenterId]),
  }),
  placements: change(z.array(placement).min(1).optional(), placementsChange, {
    writeOnly: true,
    held: placementsOf,
    notInBody: true,
  }),
  globalNetworking: change(z.boolean().optional(), networkingChange, {
    cleared: { enabled: false },
    // Takes effect when the pod starts, for which podlumi restarts only a pod that is to run. (API: Pods, update)
    restarts: ({ desiredStatus }) => desiredStatus === "RUNNING",
    // With `ignoreChanges`, the input has this shape already.
    normalize: (enabled) => (isRecord(enabled) ? enabled : { enabled }),
    toRequest: (value) => at(value, "enabled"),
  }),
} satisfies FieldTable;

/** (API: Pods, create) */
export const createInPlace = createWhereRoom({
  product: "POD",
  refusal: situations.noRoom,
  places,
  gpuId: ["gpu", "id"],
  warnings: podWarnings,
  // A data center can rule out the Community cloud, although the catalog lists it. The service then refuses what it has room for elsewhere.
  ways: (refused) =>
    refused.some(({ cloud, dataCenterIds }) => cloud === "COMMUNITY" && !isEmpty(dataCenterIds))
      ? placesForPinned
      : placesForPod,
});
