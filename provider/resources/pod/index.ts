import * as z from "zod";
import type { Definition, Observed } from "../../core/kind";
import { expiryField } from "../../core/state/expiry";
import { at, type Path } from "../../path";
import { invalid } from "../../schema/failure";
import { type ChangeRule, change, each, resized, update } from "../../schema/field";
import { objectRule, rule } from "../../schema/rule";
import { covers, hasUnknown, isRecord, isThere, type Properties, unknownValue } from "../../value";
import { podTakes } from "../allowance";
import { podWarnings, poolInsteadOfGpu } from "../catalog-advice";
import {
  containerFields,
  holdsMount,
  mountKeys,
  name,
  podMounts,
  podsFields,
  writtenSettings,
} from "../container";
import { imageRule, podRules, sizeFailure } from "../container/rules";
import { labelled } from "../labels";
import { podReferences } from "../references";
import { moveToDesired } from "./desired";
import { inProgramTerms, isOver } from "./life-cycle";
import { podShape, tcpAddressesOf, urlsOf } from "./outputs";
import { createInPlace, isAmd, placementFields, placementRules, placeOf, places } from "./placement";
import { guarded, selfStop, selfStopRules } from "./self-stop";
import type { PodArgs, PodRuntime } from "./types";

/** The path changes in place, and so does a size that grows. Anything else replaces the pod. (API: Pods, update and storage) */
const mountsChange: ChangeRule = (from, to) => {
  const same = (...keys: Path) => covers(at(from, ...keys), at(to, ...keys));
  const sameKind = mountKeys.every((key) => holdsMount(from, key) === holdsMount(to, key));
  if (!sameKind || !same("network", 0, "volumeId")) return "replace";
  return resized(at(from, "persistent", "size"), at(to, "persistent", "size"));
};

/** (API: Pods) */
export const pod: Definition<PodArgs> = labelled("POD", {
  type: "Pod",
  noun: "pod",
  naming: { mark: "env" },
  fields: {
    // The parts of the container, and a variable. (API: Pods, update)
    ...each({ ...containerFields, selfStop, expiresAfter: expiryField("update") }, { restarts: true }),
    name: update(name),
    ...placementFields,
    mounts: change(podMounts.optional(), mountsChange, {
      cleared: undefined,
      lasting: true,
      restarts: true,
      keys: mountKeys,
    }),
    ...podsFields,
    locked: update(z.boolean().optional(), { cleared: false, notInBody: true }),
    desiredStatus: update(z.enum(["RUNNING", "EXITED"]).optional(), {
      default: "RUNNING",
      stops: ({ desiredStatus }) => desiredStatus === "EXITED",
      notInBody: true,
    }),
  },
  rules: [
    ...placementRules,
    imageRule,
    ...podRules(true),
    ...selfStopRules,
    rule(["mounts", "cpu", "placements"], (inputs) =>
      places(inputs).some((place) => isThere(place.cpu)) && holdsMount(inputs.mounts, "persistent")
        ? invalid("mounts.persistent", "a CPU pod has no host-local storage: use a network volume")
        : undefined,
    ),
    rule(["mounts", "cloud", "placements"], (inputs) =>
      places(inputs).some((place) => place.cloud === "COMMUNITY") && holdsMount(inputs.mounts, "network")
        ? invalid("mounts.network", 'network volumes are in the Secure cloud only: set cloud to "SECURE"')
        : undefined,
    ),
    rule(["globalNetworking", "gpu", "cpu", "placements"], (inputs) =>
      inputs.globalNetworking === true && places(inputs).some((place) => isThere(place.cpu) || isAmd(place))
        ? invalid("globalNetworking", "needs an NVIDIA GPU: remove it, or choose another gpu")
        : undefined,
    ),
    // Where the program declares the lock, podlumi unlocks the pod for that.
    objectRule(
      "only",
      rule(["locked", "desiredStatus"], ({ locked, desiredStatus }) =>
        locked === true && desiredStatus === "EXITED"
          ? invalid("desiredStatus", "a locked pod cannot be stopped")
          : undefined,
      ),
    ),
  ],
  advice: {
    warnings: podWarnings,
    conflict: async (_api, inputs) => sizeFailure(guarded(inputs, inputs)),
    mistake: poolInsteadOfGpu,
  },
  references: podReferences,
  account: {
    takes: podTakes,
    // (API: Pods, update and delete)
    readOnly: async (_api, { cluster }) =>
      isRecord(cluster)
        ? `belongs to the cluster ${String(cluster.id)}, which alone changes and deletes its pods: declare that as a Cluster`
        : undefined,
  },
  data: {
    // Host-local storage is lost with the pod; a network volume stays. (API: Pods, storage)
    held: ({ mounts }) =>
      at(mounts, "persistent") === undefined ? undefined : "the data of mounts.persistent",
    restartsOnUpdate: true,
    lostByRestart: ({ desiredStatus }) =>
      desiredStatus === "RUNNING" ? "what is on its disk outside of mounts" : undefined,
  },
  create: async (api, body) => inProgramTerms(await api.pods.create(guarded(body, body))),
  alternatives: createInPlace,
  list: async (api, age) => (await api.pods.list(age)).map(inProgramTerms),
  async one(api, id) {
    const found = await api.pods.get(id);
    return found && inProgramTerms(found);
  },
  async read(api, id, state, { age } = {}) {
    const found = await api.pods.find(id, age);
    if (found === undefined || isOver(found)) return undefined;
    return {
      ...inProgramTerms(found),
      // Only a state has a runtime. Of a pod that is to be adopted, nobody has asked the service for what the program says.
      ...steady(found, state.runtime, "runtime" in state && state.globalNetworking),
      placement: placeOf(found, state.placements),
    };
  },
  update: async (api, id, patch, inputs) =>
    inProgramTerms(await api.pods.update(id, guarded(patch, inputs), "restart")),
  outputs: {
    shape: podShape,
    repeats: { template: "templateId", dataCenterId: "dataCenterIds", urls: "ports" },
    derive: (_inputs, { id, ports, runtime }) => ({
      urls: hasUnknown([id, ports]) ? unknownValue : urlsOf(String(id), ports),
      tcpAddresses: hasUnknown(runtime) ? unknownValue : tcpAddressesOf(runtime as PodRuntime | null),
    }),
    written: (observed) => ({ ...writtenSettings(observed), templateId: observed.template }),
  },
  delete: (api, id) => api.pods.delete(id),
  readiness: {
    isSeen: ({ status }) => status === "RUNNING",
    async make(unready) {
      const { wanted, before } = unready;
      const found = await moveToDesired(unready);
      return {
        ...found,
        ...steady(found, before.runtime, wanted.globalNetworking),
        placement: placeOf(found, wanted.placements),
      };
    },
  },
});

/**
 * Values that are kept as they were, so that a refresh shows only real drift. Measurements differ at every read. Global
 * networking of a pod that does not run changes only when the pod starts: until then, what was `asked` counts.
 */
function steady(pod: Observed, runtime: unknown, asked: unknown): Properties {
  const same = isRecord(pod.runtime) && covers(at(runtime, "ports"), at(pod, "runtime", "ports"));
  return {
    runtime: same && isRecord(runtime) ? runtime : pod.runtime,
    globalNetworking: (pod.status !== "RUNNING" && asked) || pod.globalNetworking,
  };
}
