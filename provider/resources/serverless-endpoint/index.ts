import * as z from "zod";
import { inCollection } from "../../client/collection";
import type { Definition } from "../../core/kind";
import { declaration } from "../../core/state/declared";
import { expiryField } from "../../core/state/expiry";
import { at } from "../../path";
import { type ChangeRule, change, replace, setting, timeout, update } from "../../schema/field";
import { measured } from "../../schema/schemas";
import { isEmpty, isUnknown, type Properties } from "../../value";
import { endpointTakes } from "../allowance";
import { endpointWarnings, gpuInsteadOfPools } from "../catalog-advice";
import {
  containerFields,
  cpu,
  cudaConstraints,
  dataCenterId,
  isTrimmed,
  name,
  writtenSettings,
} from "../container";
import { labelled } from "../labels";
import { endpointReferences } from "../references";
import { addressesOf, serverlessEndpointShape } from "./outputs";
import { sendExplained } from "./quota";
import { exactBody, exactPatch, sendUpdate } from "./request";
import { isSameRelease, previousRelease } from "./rollout";
import { endpointRules, workerDefaults } from "./rules";
import type { ServerlessEndpointArgs } from "./types";
import { verifyField, waitAndVerify } from "./verify";

/** A change from GPU to CPU or back replaces the endpoint; others are made in place. (API: Serverless, update) */
const sameFamily: ChangeRule = (from, to) =>
  isEmpty(from) || isEmpty(to) || isUnknown(to) ? "replace" : "update";

/** The service refuses an exclusion that stands twice. */
function withoutDuplicates(gpu: unknown): unknown {
  const excluded = at(gpu, "excludedTypes");
  return Array.isArray(excluded) ? { ...Object(gpu), excludedTypes: [...new Set(excluded)] } : gpu;
}

const scaling = z.discriminatedUnion(
  "type",
  [
    z.strictObject({ type: z.literal("QUEUE_DELAY"), queueDelay: measured("seconds", z.number().min(0.5)) }),
    z.strictObject({ type: z.literal("REQUEST_COUNT"), requestCount: z.int().min(1) }),
  ],
  { error: 'must be "QUEUE_DELAY" or "REQUEST_COUNT"' },
);

/** An update leaves the address of the health check alone: its path is a variable. (API: Serverless, requestUrls) */
function keepsHealthCheck(olds: Properties, inputs: Properties): boolean {
  if (inputs.type === "QUEUE") return true;
  const decisive = [["env", "HEALTH_CHECK_PATH"], ["templateId"], ["templateRevision"]];
  return !isUnknown(inputs.env) && decisive.every((path) => at(olds, ...path) === at(inputs, ...path));
}

/** GraphQL leaves out a GPU type by a minus sign among the pools. (API: Migration from v1) */
const gpuPool = z
  .string()
  .min(1)
  .refine((pool) => !pool.startsWith("-"), {
    error: ({ input }) =>
      `must be a GPU pool: write excludedTypes: [${JSON.stringify(String(input).slice(1).trim())}] beside pools`,
  });

/** (API: Serverless) */
export const serverlessEndpoint: Definition<ServerlessEndpointArgs> = labelled("SERVERLESS_ENDPOINT", {
  type: "ServerlessEndpoint",
  noun: "serverless endpoint",
  naming: { mark: "env" },
  fields: {
    ...containerFields,
    name: update(name),
    type: replace(z.enum(["QUEUE", "LOAD_BALANCER"])),
    scaling: update(scaling, { whole: true }),
    gpu: change(
      z
        .strictObject({
          pools: z.array(gpuPool).min(1),
          excludedTypes: z
            .array(
              z
                .string()
                .regex(/^\s*[^-\s]/, "must be the id of a GPU type, without a minus sign")
                .refine(...isTrimmed),
            )
            .optional(),
          count: z.int().min(1).optional(),
          ...cudaConstraints,
        })
        .optional(),
      sameFamily,
      {
        cleared: undefined,
        lasting: true,
        clearedKeys: { count: 1, excludedTypes: [], allowedCudaVersions: [], minCudaVersion: "" },
        toRequest: withoutDuplicates,
      },
    ),
    cpu: change(z.array(cpu).min(1).optional(), sameFamily, { cleared: undefined, lasting: true }),
    workers: update(
      z
        .strictObject({
          min: z.int().min(0).optional(),
          max: z.int().min(0).optional(),
          idleTimeout: measured("seconds", z.int().min(1).max(3600)).optional(),
        })
        .optional(),
      { cleared: workerDefaults, clearedKeys: workerDefaults },
    ),
    // assumes: value * /serverless*: *flashboot
    flashboot: update(z.enum(["OFF", "FLASHBOOT", "PRIORITY_FLASHBOOT"]).optional(), { cleared: "OFF" }),
    // assumes: value * /serverless*: *timeout
    timeout: update(measured("milliseconds", z.int().min(0)).optional(), { cleared: 300_000 }),
    dataCenterIds: update(z.array(dataCenterId).optional(), { cleared: [] }),
    networkVolumes: update(z.array(z.string().min(1)).optional(), { cleared: [] }),
    globalVolumes: update(z.array(z.string().min(1)).max(1).optional(), { cleared: [] }),
    templateId: update(z.string().min(1).optional(), {
      writeOnly: true,
      givesSettings: [...Object.keys(containerFields), "gpu.allowedCudaVersions"],
    }),
    templateRevision: update(z.string().min(1).optional(), {
      writeOnly: true,
      givesSettings: Object.keys(containerFields),
    }),
    verify: verifyField,
    expiresAfter: expiryField("update"),
    waitForRollout: setting(z.boolean().optional()),
    waitFor: setting(z.enum(["READY", "NONE"]).optional()),
    waitTimeout: timeout(),
  },
  rules: endpointRules,
  advice: { mistake: gpuInsteadOfPools, warnings: endpointWarnings },
  references: endpointReferences,
  account: { takes: endpointTakes },
  ...inCollection("endpoints"),
  create: (api, body) => sendExplained(api, undefined, exactBody(body, body)),
  async read(api, id, state, { age } = {}) {
    const found = await api.endpoints.find(id, age);
    return (
      found && { ...found, verifiedRelease: isSameRelease(found, state) ? state.verifiedRelease : undefined }
    );
  },
  async update(api, id, patch, inputs, present) {
    const sent = await exactPatch(api, patch, inputs, present);
    return sendUpdate(sent, (body) => sendExplained(api, id, body));
  },
  outputs: {
    shape: serverlessEndpointShape,
    stable: (olds, inputs) => (keepsHealthCheck(olds, inputs) ? ["requestUrls"] : []),
    derive: (_inputs, { requestUrls }) => addressesOf(requestUrls),
    written: writtenSettings,
  },
  readiness: {
    make: waitAndVerify,
    previousRelease,
    isUnproven: (state, { verify }) =>
      verify !== undefined && declaration(state).verify !== undefined && state.verifiedRelease === undefined,
  },
});
