import type { Known, References } from "../core/kind";
import { oneOf } from "../did-you-mean";
import { type Failure, failures } from "../schema/failure";
import { hasUnknown, isRecord, isUnknown, type Properties } from "../value";
import * as words from "../words/references";
import { besideTemplate, besideTemplateFailure, variablesFailure } from "./container/rules";
import { globalVolume } from "./global-volume";
import { networkVolume } from "./network-volume";
import { isAllowed, places } from "./pod/placement";
import { registryMustExist } from "./registry-auth";
import { template } from "./template";

type Mismatch = Promise<Failure | undefined>;

/** (API: Pods, create: mounts.network, registry, templateId) */
export const podReferences: References = {
  about: ["mounts", "dataCenterIds", "placements", "registry", "templateId", "templateRevision"],
  async find(known, inputs) {
    await registryMustExist(known);
    return failures([
      await volumeElsewhere(known, inputs),
      await wrongTemplate(known, false),
      await tooManyVariables(known, inputs),
    ]);
  },
};

/** (API: Clusters, create) */
export const clusterReferences: References = {
  about: ["dataCenterIds", "templateId", "templateRevision", ...besideTemplate],
  find: async (known, inputs) =>
    failures([
      await volumeElsewhere(known, inputs),
      await wrongTemplate(known, false),
      await settingsBesideTemplate(known, inputs),
    ]),
};

/** (API: Serverless, create: networkVolumes, globalVolumes, registry, templateId) */
export const endpointReferences: References = {
  about: ["networkVolumes", "globalVolumes", "dataCenterIds", "registry", "templateId", "templateRevision"],
  async find(known, inputs) {
    await registryMustExist(known);
    await known(globalVolume, ["globalVolumes", 0], "name");
    return failures([...(await volumesElsewhere(known, inputs)), await wrongTemplate(known, true)]);
  },
};

const elsewhere = "PODLUMI-VOLUME-ELSEWHERE";

/** What runs in these data centers may reach a volume in `where`. */
function mayReach(dataCenterIds: unknown, where: unknown): boolean {
  return where === undefined || hasUnknown(dataCenterIds) || isAllowed(dataCenterIds, where);
}

/** A pod runs where its network volume is. One of its places is enough. */
async function volumeElsewhere(known: Known, inputs: Properties): Mismatch {
  const where = await known(networkVolume, ["mounts", "network", 0, "volumeId"], "dataCenter");
  const asked = places(inputs).map(({ dataCenterIds }) => dataCenterIds);
  if (typeof where !== "string" || asked.some((ids) => mayReach(ids, where))) return undefined;
  const property = inputs.placements === undefined ? "dataCenterIds" : "placements";
  const reason = words.volumeElsewhere(where, oneOf([...new Set(asked.flat())]));
  return { property, reason, code: elsewhere };
}

/** An endpoint takes one volume in a data center, and its workers run where its volumes are. */
async function volumesElsewhere(
  known: Known,
  { networkVolumes, dataCenterIds }: Properties,
): Promise<Failure[]> {
  if (!Array.isArray(networkVolumes)) return [];
  const where = await Promise.all(
    networkVolumes.map((_id, index) => known(networkVolume, ["networkVolumes", index], "dataCenter")),
  );
  const twice = where.flatMap((one, index) => {
    const first = where.indexOf(one);
    if (one === undefined || first === index) return [];
    const reason = words.volumeTwice(one, first);
    return [{ property: `networkVolumes[${index}]`, reason, code: elsewhere }];
  });
  if (where.length === 0 || where.some((place) => mayReach(dataCenterIds, place))) return twice;
  const present = [...new Set(where)].map((place) => `"${place}"`).join(" and ");
  const reason = words.volumesElsewhere(present, oneOf(dataCenterIds as unknown[]));
  return [...twice, { property: "dataCenterIds", reason, code: elsewhere }];
}

/** The service answers 422 to a template for the other product. */
async function wrongTemplate(known: Known, serverless: boolean): Mismatch {
  const found = await known(template, ["templateId"], "serverless");
  if (typeof found !== "boolean" || found === serverless) return undefined;
  const reason = found ? words.templateForEndpoints : words.templateForPods;
  return { property: "templateId", reason, code: "PODLUMI-TEMPLATE-KIND" };
}

/** A rule waits for an id that nobody knows yet, since it may turn out to be none. That of a template of the program will be one. */
async function settingsBesideTemplate(known: Known, inputs: Properties): Mismatch {
  const isComing =
    isUnknown(inputs.templateId) && (await known(template, ["templateId"], "image")) !== undefined;
  return isComing ? besideTemplateFailure(inputs) : undefined;
}

/** A pod gets the variables of its template, too. (API: Pods, templateId) */
async function tooManyVariables(known: Known, inputs: Properties): Mismatch {
  const given = await known(template, ["templateId"], "env");
  return isRecord(given) && !isUnknown(inputs.env) ? variablesFailure(inputs, true, given) : undefined;
}
