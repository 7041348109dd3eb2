import type { Api } from "../../client/api";
import { undefinedIfExpected } from "../../client/errors";
import type { Observed } from "../../core/kind";
import { markVariable } from "../../core/mark/mark";
import { expiryVariable } from "../../core/state/expiry";
import { ofLoadBalancer, toSendAgain } from "../../core/state/platform";
import { at } from "../../path";
import { covers, filtered, isEmpty, isRecord, mapped, type Properties } from "../../value";
import { containerFields } from "../container";
import type { Step } from "../steps";

/** Adapts a body to the service's rules about workers and templates. */
export function exactBody(body: Properties, inputs: Properties): Properties {
  const { templateRevision, ...sent } = body;
  if (scalesWithoutIdling(inputs) && sent.workers !== undefined) {
    const { idleTimeout, ...workers } = sent.workers as Properties;
    sent.workers = workers;
  }
  // The service has no revisions. A new one means that the template is applied again.
  if (templateRevision !== undefined) sent.templateId = inputs.templateId;
  // Applying a template overwrites settings, so send the program's own again. Settings of an earlier template are not
  // sent.
  if (sent.templateId !== undefined)
    for (const field of Object.keys(containerFields)) sent[field] = inputs[field];
  return sent;
}

/** Reads the endpoint. */
type Present = () => Promise<Observed>;

/** The body of an update, with what keeps the settings that the program does not change. */
async function exactPatch(
  api: Api,
  patch: Properties,
  inputs: Properties,
  read: Present,
): Promise<Properties> {
  const sent = exactBody(patch, inputs);
  const ofPlatform = inputs.type === "LOAD_BALANCER" ? ofLoadBalancer : {};
  const lacksVariable =
    isRecord(patch.env) && Object.keys(ofPlatform).some((name) => at(patch, "env", name) === undefined);
  if (sent.templateId === undefined && sent.gpu === undefined && !lacksVariable) return sent;

  const [present, template = {}] = await Promise.all([
    read(),
    sent.templateId === undefined ? undefined : api.templates.find(String(sent.templateId)),
  ]);
  if (isRecord(sent.gpu))
    sent.gpu = await exactGpu(api, sent.gpu, Object(present.gpu) as Properties, Object(inputs.gpu));
  if (sent.templateId === undefined && !lacksVariable) return sent;
  // Applying a template replaces the variables of the endpoint. (API: Behaviours, read-back and drift; Serverless, update)
  const before = toSendAgain(patch.env ?? present.env);
  const given = filtered(
    ofPlatform,
    (name) => at(present, "env", name) !== undefined && at(template, "env", name) === undefined,
  );
  const kept = {
    ...mapped(given, (value, name) => before[name] ?? value),
    ...filtered(before, (name) => name === markVariable || name === expiryVariable),
  };
  return isEmpty(kept) ? sent : { ...sent, env: { ...kept, ...Object(sent.env) } };
}

/**
 * New pools clear the exclusions, and a CUDA constraint stands beside the other one, which the service refuses. So a patch
 * repeats the exclusions that are not the program's, and clears the constraint that its own replaces. (API: Serverless, update)
 */
async function exactGpu(
  api: Api,
  gpu: Properties,
  present: Properties,
  program: Properties,
): Promise<Properties> {
  const sent = { ...gpu };
  const { excludedTypes, allowedCudaVersions, minCudaVersion } = present;
  const areOthers = gpu.excludedTypes === undefined || !covers(gpu.excludedTypes, program.excludedTypes);
  if (areOthers && Array.isArray(excludedTypes)) {
    const kept = covers(present.pools, gpu.pools)
      ? excludedTypes
      : await notElsewhere(api, excludedTypes, gpu.pools as unknown[]);
    sent.excludedTypes = kept.length > 0 ? kept : undefined;
  }
  if (!isEmpty(gpu.minCudaVersion) && gpu.allowedCudaVersions === undefined && !isEmpty(allowedCudaVersions))
    sent.allowedCudaVersions = [];
  if (!isEmpty(gpu.allowedCudaVersions) && gpu.minCudaVersion === undefined && !isEmpty(minCudaVersion))
    sent.minCudaVersion = "";
  return sent;
}

/**
 * GPU types without those that the catalog has in other pools. The service refuses to exclude these. Where the catalog does not answer
 * at all, the service decides.
 */
async function notElsewhere(
  api: Api,
  types: readonly unknown[],
  pools: readonly unknown[],
): Promise<unknown[]> {
  // An update waits for the catalog, and cannot do with what a preview has, which does not wait.
  const list = () => api.rest.list<Properties>("/catalog/gpus", "gpus");
  const all = (await api.once("the GPU types for an update", list).catch(undefinedIfExpected)) ?? [];
  const elsewhere = all.filter(({ pool }) => !pools.includes(pool)).map(({ id }) => id);
  return types.filter((type) => !elsewhere.includes(type));
}

/** The requests of an update, in turn. */
export async function stepsOf(
  api: Api,
  patch: Properties,
  inputs: Properties,
  read: Present,
): Promise<readonly Step[]> {
  const last = await exactPatch(api, patch, inputs, read);
  return [...(await resetIdleTimeout(patch, inputs, read)), ...detachFirst(last)];
}

/** An endpoint has volumes of one kind, so those of the other kind are detached first. (API: Global volumes, Serverless) */
function detachFirst(sent: Properties): Step[] {
  for (const [other, own] of [
    ["networkVolumes", "globalVolumes"],
    ["globalVolumes", "networkVolumes"],
  ] as const) {
    if (!Array.isArray(sent[other]) || !isEmpty(sent[other]) || isEmpty(sent[own])) continue;
    const { [other]: detached, ...rest } = sent;
    const done = `its ${other} were detached, so that its workers have none`;
    return [{ body: { [other]: detached }, done }, { body: rest }];
  }
  return [{ body: sent }];
}

/**
 * A queue that scales on requests takes no idle timeout, and has its last one again when it scales on the delay again.
 * So one that the program takes out gets its default before the scaler changes. (API: Serverless, workers.idleTimeout)
 */
async function resetIdleTimeout(patch: Properties, inputs: Properties, read: Present): Promise<Step[]> {
  const idleTimeout = at(patch, "workers", "idleTimeout");
  if (idleTimeout === undefined || !scalesWithoutIdling(inputs)) return [];
  if (scalesWithoutIdling(await read())) return [];
  return [
    { body: { workers: { idleTimeout } }, done: `its workers.idleTimeout was set to ${String(idleTimeout)}` },
  ];
}

export function scalesWithoutIdling(inputs: Properties): boolean {
  return inputs.type === "QUEUE" && at(inputs, "scaling", "type") === "REQUEST_COUNT";
}
