import * as z from "zod";
import { ExpectedError, isOpen } from "../../client/errors";
import { path } from "../../client/rest";
import { objectRule } from "../../core/check";
import { define, everything, type Observed } from "../../core/definition";
import { NotReadyError } from "../../core/errors";
import { change, update } from "../../core/field";
import { at } from "../../core/path";
import { unready } from "../../core/state";
import { hasUnknown, isEmpty, unknownValue } from "../../core/value";
import {
  containerFields,
  cudaVersion,
  holdsMount,
  mountKeys,
  name,
  persistentMount,
  reservedVariables,
} from "../container";
import { deleteTimeout, deleteWhenFree } from "../delete-when-free";
import { lookAtRegistry } from "../registry-reference";
import { usersOfTemplate } from "../users";
import { revised, revisionOf } from "./derived";
import { readmeOf, saveReadme } from "./readme";
import type { TemplateArgs } from "./types";

/** (API: Templates) */
export const template = define<TemplateArgs>({
  type: "Template",
  noun: "template",
  uniqueName: true,
  fields: {
    ...containerFields,
    name: update(name),
    image: update(z.string().min(1)),
    // PATCH can change a mount but cannot remove it.
    mounts: change(
      z.strictObject({ persistent: persistentMount.optional() }).optional(),
      (from, to) => (holdsMount(from, "persistent") && !holdsMount(to, "persistent") ? "replace" : "update"),
      { cleared: undefined, lasting: true, keys: mountKeys },
    ),
    serverless: update(z.boolean().optional(), { cleared: false }),
    public: update(z.boolean().optional(), { cleared: false }),
    // assumes: value * /templates*: *category
    category: update(z.enum(["CPU", "NVIDIA", "AMD"]).optional(), { cleared: "NVIDIA" }),
    // assumes: value * /templates*: *startSsh, *startJupyter
    startSsh: update(z.boolean().optional(), { cleared: true }),
    startJupyter: update(z.boolean().optional(), { cleared: true }),
    allowedCudaVersions: update(z.array(cudaVersion).optional(), { cleared: [] }),
    readme: update(z.string().optional(), { cleared: "", notInBody: true }),
    deleteTimeout,
  },
  rules: [
    reservedVariables,
    // The request that saves a readme has the whole template, so it is refused for this, too.
    objectRule("too", ["serverless", "mounts", "readme"], (inputs) =>
      inputs.serverless === true && at(inputs, "mounts", "persistent") !== undefined
        ? {
            property: "mounts.persistent",
            reason: "a serverless template has no storage of its own: remove it, or set serverless to false",
          }
        : undefined,
    ),
  ],
  references: {
    about: ["registry"],
    async find(known) {
      await lookAtRegistry(known);
      return [];
    },
  },
  // REST gives no template a readme.
  create: async (api, body) => ({ ...(await api.templates.create(body)), readme: "" }),
  list: (api, age) => api.templates.list(age),
  one: (api, id) => api.rest.find(path`/templates/${id}`),
  async read(api, id, state, age) {
    // Send both requests at once. If the template is gone, a failure to read its readme does not matter.
    const declared = isEmpty(state.readme) ? undefined : readmeOf(api, id, age);
    declared?.catch(() => undefined);
    const observed = await api.templates.find(id, age);
    if (observed === undefined) return undefined;
    if (declared !== undefined) return complete(observed, (await declared) ?? state.readme);
    // Nobody declared this readme, and GraphQL may be retired, so ignore failures.
    const unasked = state[everything] ? await readmeOf(api, id, age).catch(() => undefined) : undefined;
    return complete(observed, unasked ?? "");
  },
  update: (api, id, patch) => api.templates.update(id, patch),
  derive(inputs) {
    const unknown = revised.some((name) => hasUnknown(inputs[name]));
    return { revision: unknown ? unknownValue : revisionOf(inputs) };
  },
  delete: (api, id, state, isToStay) =>
    deleteWhenFree(api, api.templates, id, state, () => usersOfTemplate(api, id, state), isToStay),
  async makeReady(api, id, { readme }, observed, before) {
    if (readme === undefined) return complete(observed, "");
    // podlumi knows the readme already, unless it adopts the template, or a save before failed.
    const known = before[unready] ? undefined : before.readme;
    const present = observed.readme ?? known ?? (await readmeOf(api, id));
    const wanted = complete(observed, readme);
    if (present === readme) return wanted;
    const lost = await saveReadme(api, id, wanted).catch((error) =>
      failWith(error, complete(observed, isOpen(error) ? readme || present : present)),
    );
    if (isEmpty(lost)) return wanted;
    const reset = Object.fromEntries(Object.keys(lost).map((name) => [name, undefined]));
    const restored = await api.templates
      .update(id, lost)
      .catch((error) => failWith(error, { ...wanted, ...reset }));
    return { ...wanted, ...restored };
  },
});

/** A readme that may have been saved is in the state, so that the edit that drops it removes it. */
function failWith(error: unknown, seen: Observed): never {
  if (!(error instanceof ExpectedError)) throw error;
  throw new NotReadyError(error.message, error.code, seen, { cause: error });
}

/** Adds `mounts`, which the live service omits when there are none, and the readme, which REST never answers. */
function complete(observed: Observed, readme: unknown): Observed {
  return { ...observed, mounts: observed.mounts ?? {}, readme };
}
