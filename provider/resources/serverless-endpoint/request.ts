import type { Api } from "../../client/api";
import { extended } from "../../client/errors";
import { HalfDoneError } from "../../core/errors";
import type { Observed, ServiceObject } from "../../core/kind";
import { markVariable } from "../../core/mark/mark";
import { expiryVariable } from "../../core/state/expiry";
import { ofLoadBalancer, toSendAgain } from "../../core/state/platform";
import { at } from "../../path";
import { covers, filtered, isEmpty, isRecord, mapped, type Properties, without } from "../../value";
import { detachedBefore } from "../../words/requests";
import { containerFields } from "../container";

/** Adapts a body to the service's rules about workers and templates. */
export function exactBody(body: Properties, inputs: Properties): Properties {
  const { templateRevision, ...sent } = body;
  // A bound that the service has, as where it has lowered `max`, may not fit to the other one, which the program changes.
  const { min, max } = Object(sent.workers) as Properties;
  if (Number(min) > Number(max)) sent.workers = { ...Object(sent.workers), ...Object(inputs.workers) };
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

/** The body of an update, with what keeps the settings that the program does not change. `read` reads the endpoint. */
export async function exactPatch(
  api: Api,
  patch: Properties,
  inputs: Properties,
  read: () => Promise<Observed>,
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
  if (isRecord(sent.gpu)) sent.gpu = exactGpu(sent.gpu, present.gpu, inputs.gpu);
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
 * Pools and exclusions are one selection, so exclusions of others stay while the pools do. A CUDA constraint takes the place of the other one,
 * beside which the service refuses it. (API: Serverless, update)
 */
function exactGpu(gpu: Properties, present: unknown, program: unknown): Properties {
  const keepsPools = covers(at(present, "pools"), gpu.pools);
  const excludedTypes = keepsPools
    ? (gpu.excludedTypes ?? at(present, "excludedTypes"))
    : at(program, "excludedTypes");
  return {
    ...gpu,
    excludedTypes,
    ...(!isEmpty(gpu.minCudaVersion) && { allowedCudaVersions: [] }),
    ...(!isEmpty(gpu.allowedCudaVersions) && { minCudaVersion: "" }),
  };
}

const volumes = ["networkVolumes", "globalVolumes"];

/** Sends an update. An endpoint has volumes of one kind, so those of the other are detached before. (API: Global volumes, Serverless) */
export async function sendUpdate(
  body: Properties,
  send: (body: Properties) => Promise<ServiceObject>,
): Promise<ServiceObject> {
  const attaches = volumes.some((name) => !isEmpty(body[name]));
  const former = volumes.find((name) => name in body && isEmpty(body[name]));
  if (former === undefined || !attaches) return send(body);
  const detached = { [former]: [] };
  await send(detached);
  return send(without([former], body)).catch((error) => {
    throw HalfDoneError.of(extended(error, detachedBefore(former)), detached);
  });
}

export function scalesWithoutIdling(inputs: Properties): boolean {
  return inputs.type === "QUEUE" && at(inputs, "scaling", "type") === "REQUEST_COUNT";
}
