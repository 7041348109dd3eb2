import { z } from "zod";
import type { ServerlessEndpointArgs } from "../../sdk/serverless-endpoint";
import type { Api } from "../client/api";
import { ExpectedError, ServiceError } from "../client/errors";
import { at, rule } from "../core/check";
import { define, type Made } from "../core/definition";
import { type ChangeRule, change, replace, update } from "../core/field";
import { isEmpty, type Properties } from "../core/value";
import {
  computeFailure,
  containerFields,
  containerRules,
  cpu,
  cudaConstraints,
  dataCenterId,
  name,
} from "./container";

/** From GPU to CPU or back is another endpoint; anything else of them changes in place. (API: Serverless, update) */
const sameFamily: ChangeRule = (from, to) => (isEmpty(from) || isEmpty(to) ? "replace" : "update");

const workerDefaults = { min: 0, max: 3, idleTimeout: 10 };

const scaling = z.discriminatedUnion(
  "type",
  [
    z.strictObject({ type: z.literal("QUEUE_DELAY"), queueDelay: z.number().min(0.5) }),
    z.strictObject({ type: z.literal("REQUEST_COUNT"), requestCount: z.int().min(1) }),
  ],
  { error: 'must be "QUEUE_DELAY" or "REQUEST_COUNT"' },
);

/** (API: Serverless) */
export const serverlessEndpoint = define<ServerlessEndpointArgs>({
  noun: "serverless endpoint",
  fields: {
    ...containerFields,
    name: update(name),
    type: replace(z.enum(["QUEUE", "LOAD_BALANCER"])),
    scaling: update(scaling),
    gpu: change(
      z
        .strictObject({
          pools: z.array(z.string().min(1)).min(1),
          excludedTypes: z.array(z.string().min(1)).optional(),
          count: z.int().min(1).optional(),
          ...cudaConstraints,
        })
        .optional(),
      sameFamily,
      {
        cleared: undefined,
        clearedKeys: { count: 1, excludedTypes: [], allowedCudaVersions: [], minCudaVersion: "" },
      },
    ),
    cpu: change(z.array(cpu).min(1).optional(), sameFamily, { cleared: undefined }),
    workers: update(
      z
        .strictObject({
          min: z.int().min(0).optional(),
          max: z.int().min(0).optional(),
          idleTimeout: z.int().min(1).max(3600).optional(),
        })
        .optional(),
      { cleared: workerDefaults, clearedKeys: workerDefaults },
    ),
    flashboot: update(z.enum(["OFF", "FLASHBOOT", "PRIORITY_FLASHBOOT"]).optional(), { cleared: "OFF" }),
    timeout: update(z.int().min(0).optional(), { cleared: 300_000 }),
    dataCenterIds: update(z.array(dataCenterId).optional(), { cleared: [] }),
    networkVolumes: update(z.array(z.string().min(1)).optional(), { cleared: [] }),
    templateId: update(z.string().min(1).optional(), { writeOnly: true }),
  },
  rules: [
    rule(["gpu", "cpu"], (inputs) => computeFailure(inputs)),
    ...containerRules,
    rule(["type", "scaling"], (inputs) =>
      inputs.type === "LOAD_BALANCER" && at(inputs, "scaling", "type") !== "REQUEST_COUNT"
        ? {
            property: "scaling.type",
            reason: 'a LOAD_BALANCER endpoint has no queue to wait in: scale on "REQUEST_COUNT"',
          }
        : undefined,
    ),
    rule(["type", "scaling", "workers"], (inputs) =>
      scalesWithoutIdling(inputs) && at(inputs, "workers", "idleTimeout") !== undefined
        ? {
            property: "workers.idleTimeout",
            reason:
              'does not apply to a QUEUE endpoint that scales on REQUEST_COUNT: remove it, or scale on "QUEUE_DELAY"',
          }
        : undefined,
    ),
    rule(["workers"], (inputs) => {
      const { min, max } = { ...workerDefaults, ...(inputs.workers as object) };
      return min > max
        ? { property: "workers.min", reason: `must not be above workers.max: ${min} is more than ${max}` }
        : undefined;
    }),
    rule(["cpu"], ({ cpu }) =>
      Array.isArray(cpu) && new Set(cpu.map((item) => `${item.id} ${item.vcpuCount}`)).size < cpu.length
        ? { property: "cpu", reason: "the same selection stands twice: remove one" }
        : undefined,
    ),
  ],
  create: (api, body) => withWorkers(api, undefined, () => api.endpoints.create(body)),
  list: (api) => api.endpoints.list(),
  read: (api, id, _state, age) => api.endpoints.find(id, age),
  update: (api, id, patch, inputs) =>
    withWorkers(api, id, () => api.endpoints.update(id, exact(patch, inputs))),
  delete: (api, id) => api.endpoints.delete(id),
});

/**
 * The account's quota of workers is no field of any answer: only a refusal (400) may come of it. Then it helps to know
 * who has the workers.
 */
async function withWorkers<T>(api: Api, id: string | undefined, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ServiceError && error.status === 400)) throw error;
    const others = (await api.endpoints.list().catch(() => [])).filter((one) => one.id !== id);
    const most = (endpoint: Made) => Number(at(endpoint, "workers", "max") ?? 0);
    const sum = others.reduce((total, endpoint) => total + most(endpoint), 0);
    const each = others
      .filter(most)
      .map((endpoint) => `${String(endpoint.name)} (${endpoint.id}) ${most(endpoint)}`);
    const taken =
      sum === 0 ? "" : ` The account's other endpoints may have ${sum} workers: ${each.join(", ")}.`;
    throw new ExpectedError(`${error.message}${taken}`, { cause: error });
  }
}

/** A change, so that it does what it says and no more. */
function exact(patch: Properties, inputs: Properties): Properties {
  const sent = { ...patch };
  if (scalesWithoutIdling(inputs) && sent.workers !== undefined) {
    const { idleTimeout, ...workers } = sent.workers as Properties;
    sent.workers = workers;
  }
  // A template is copied over the settings of the endpoint: the program's own are sent with it, or it would win.
  if (sent.templateId !== undefined) {
    for (const field of Object.keys(containerFields)) sent[field] ??= inputs[field];
  }
  return sent;
}

function scalesWithoutIdling(inputs: Properties): boolean {
  return inputs.type === "QUEUE" && at(inputs, "scaling", "type") === "REQUEST_COUNT";
}
