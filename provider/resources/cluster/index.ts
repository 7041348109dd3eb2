import * as z from "zod";
import { inCollection } from "../../client/collection";
import { anyAge } from "../../client/errand";
import { extended } from "../../client/errors";
import { situations } from "../../client/policy";
import type { Definition } from "../../core/kind";
import { expiryField } from "../../core/state/expiry";
import { only } from "../../core/state/internals";
import { withoutPlatform } from "../../core/state/platform";
import { at } from "../../path";
import { type ChangeRule, each, replace, update } from "../../schema/field";
import { rule } from "../../schema/rule";
import { isEmpty } from "../../value";
import { placesForCluster } from "../../words/limits";
import { clusterIsGone } from "../../words/waits";
import { clusterTakes } from "../allowance";
import { clusterWarnings } from "../catalog-advice";
import {
  commandOf,
  containerFields,
  dataCenterId,
  gpuTypeId,
  mountKeys,
  name,
  podMounts,
  podsFields,
} from "../container";
import { besideTemplate, besideTemplateFailure, podRules } from "../container/rules";
import { labelled } from "../labels";
import { clusterReferences } from "../references";
import { createWhereRoom } from "../room";
import { clusterShape } from "./outputs";
import { allPods, complete, isRunning, podsOf, waitForEnd, waitForPods, withMembers } from "./pods";
import type { ClusterArgs } from "./types";

/** The service tells from which template it created a cluster, so that only another one replaces it. (API: Clusters, read) */
const anotherTemplate: ChangeRule = (_from, to, { state }) =>
  to !== undefined && state.template === to ? "update" : "replace";

// A cluster takes no credential. (API: Clusters, create)
const { registry, ...settings } = containerFields;

/** (API: Clusters) */
export const cluster: Definition<ClusterArgs> = labelled("CLUSTER", {
  type: "Cluster",
  noun: "cluster",
  fields: {
    name: update(name),
    type: replace(z.enum(["APPLICATION", "TRAINING", "SLURM", "RAY"])),
    compute: replace(
      z.strictObject({
        gpuTypeId,
        gpuCountPerPod: z.int().min(1),
        podCount: z.int().min(2).max(250),
      }),
    ),
    // The service cannot change them and never returns them, so the state keeps the program's. (API: Clusters)
    ...each(settings, { change: "replace", writeOnly: true }),
    dataCenterIds: replace(z.array(dataCenterId).optional(), { cleared: [], writeOnly: true }),
    mounts: replace(podMounts.optional(), { cleared: undefined, writeOnly: true, keys: mountKeys }),
    ...podsFields,
    templateId: {
      ...podsFields.templateId,
      change: anotherTemplate,
      createOnly: true,
      held: ({ template }) => template,
    },
    expiresAfter: expiryField("replace"),
  },
  rules: [
    ...podRules(false),
    rule(["templateId", ...besideTemplate], (inputs) =>
      inputs.templateId === undefined ? undefined : besideTemplateFailure(inputs),
    ),
  ],
  advice: { warnings: clusterWarnings },
  references: clusterReferences,
  account: { takes: clusterTakes },
  data: { held: () => "what its pods hold" },
  ...inCollection("clusters"),
  // The service creates a cluster whole or not at all.
  alternatives: createWhereRoom({
    product: "CLUSTER",
    refusal: situations.hostFull,
    places: (inputs) => [inputs],
    gpuId: ["compute", "gpuTypeId"],
    warnings: clusterWarnings,
    ways: () => placesForCluster,
  }),
  async read(api, id, _state, { age } = {}) {
    // A refresh reads the pods of all clusters with one list, at the same time.
    const listed = age === anyAge ? allPods(api, age) : undefined;
    const [found, all = []] = await Promise.all([api.clusters.find(id, age), listed]);
    if (found === undefined) return undefined;
    const members = all.filter((pod) => at(pod, "cluster", "id") === id);
    return members.length === at(found, "pods", "total")
      ? withMembers(found, members)
      : complete(api, id, found);
  },
  outputs: {
    shape: clusterShape,
    repeats: { members: "name", dataCenterId: "dataCenterIds", template: "templateId" },
    // The service returns the container settings of a cluster's pods, but not those of the cluster.
    async written(observed, api, id) {
      if (!isEmpty(observed.template)) return { templateId: observed.template };
      const [pod] = await podsOf(api, id);
      if (pod === undefined) return {};
      const written = only([...Object.keys(settings), "mounts"], pod);
      return { ...written, ...commandOf(pod), env: withoutPlatform(pod.env) };
    },
  },
  async delete(api, id) {
    const wasThere = await api.clusters.delete(id);
    await waitForEnd(api, id).catch((error) => {
      throw extended(error, clusterIsGone);
    });
    return wasThere;
  },
  readiness: {
    isSeen: isRunning,
    async make({ api, id, wanted, observed }) {
      const found = wanted.waitFor === "NONE" ? observed : await waitForPods(api, id, wanted, observed);
      return complete(api, id, found);
    },
  },
});
