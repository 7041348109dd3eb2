import * as z from "zod";
import { inCollection } from "../../client/collection";
import { undefinedIfExpected } from "../../client/errors";
import type { Definition } from "../../core/kind";
import { isDeclared } from "../../core/state/declared";
import { invalid } from "../../schema/failure";
import { change, update } from "../../schema/field";
import { objectRule, rule } from "../../schema/rule";
import { hasUnknown, isEmpty, unknownValue } from "../../value";
import {
  commandOf,
  containerFields,
  cudaVersion,
  holdsMount,
  image,
  mountKeys,
  name,
  persistentMount,
} from "../container";
import { settingsRules } from "../container/rules";
import { deleteTimeout, deleteWhenFree, usesTemplate } from "../in-use";
import { registryMustExist } from "../registry-auth";
import { revised, revisionOf } from "./derived";
import { templateShape } from "./outputs";
import { complete, makeReady, readmeChange, readmeConflict, readmeOf, unset } from "./readme";
import type { TemplateArgs } from "./types";

/** (API: Templates) */
export const template: Definition<TemplateArgs> = {
  type: "Template",
  noun: "template",
  naming: { unique: true },
  fields: {
    ...containerFields,
    name: update(name),
    image: update(image),
    // PATCH can change a mount but cannot remove it.
    mounts: change(
      z.strictObject({ persistent: persistentMount.optional() }).optional(),
      (from, to) => (holdsMount(from, "persistent") && !holdsMount(to, "persistent") ? "replace" : "update"),
      { cleared: undefined, lasting: true, keys: mountKeys },
    ),
    serverless: update(z.boolean().optional(), { cleared: false }),
    public: update(z.boolean().optional(), { cleared: unset.public }),
    // assumes: value * /templates*: *category
    category: update(z.enum(["CPU", "NVIDIA", "AMD"]).optional(), { cleared: unset.category }),
    // assumes: value * /templates*: *startSsh, *startJupyter
    startSsh: update(z.boolean().optional(), { cleared: unset.startSsh }),
    startJupyter: update(z.boolean().optional(), { cleared: unset.startJupyter }),
    allowedCudaVersions: update(z.array(cudaVersion).optional(), { cleared: unset.allowedCudaVersions }),
    readme: change(z.string().optional(), readmeChange, { cleared: "", notInBody: true, inPlace: true }),
    deleteTimeout,
  },
  rules: [
    ...settingsRules,
    // The request that saves a readme has the whole template, so it is refused for this, too.
    objectRule(
      "too",
      rule(["serverless", "mounts", "readme"], ({ serverless, mounts }) =>
        serverless === true && holdsMount(mounts, "persistent")
          ? invalid(
              "mounts.persistent",
              "a serverless template has no storage of its own: remove it, or set serverless to false",
            )
          : undefined,
      ),
    ),
  ],
  references: { about: ["registry"], find: registryMustExist },
  advice: { conflict: readmeConflict },
  ...inCollection("templates"),
  // REST gives no template a readme.
  create: async (api, body) => ({ ...(await api.templates.create(body)), readme: "" }),
  account: {
    // The service returns the public templates of others, too, and lists only the account's own. (API: Templates, get)
    async readOnly(api, { id, public: isPublic }) {
      const isOthers = isPublic === true && !(await api.templates.list()).some((own) => own.id === id);
      return isOthers ? "is a public one of another account, which alone changes and deletes it" : undefined;
    },
  },
  async read(api, id, state, { age, isWhole } = {}) {
    // Sent at once with the other request. If the template is gone, a failure of this one does not matter.
    const isDue = !isEmpty(state.readme);
    const asked = isDue || isWhole ? readmeOf(api, id, age) : undefined;
    asked?.catch(() => undefined);
    const observed = await api.templates.find(id, age);
    if (observed === undefined) return undefined;
    // GraphQL may be retired, which matters nothing to a template whose readme nobody declared.
    const readme = await (isDue ? asked : asked?.catch(undefinedIfExpected));
    // Of a template that is to be adopted, the program alone says it: nobody has saved that.
    return complete(observed, readme ?? (isDue && isDeclared(state) ? state.readme : ""));
  },
  outputs: {
    shape: templateShape,
    derive(inputs) {
      const unknown = revised.some((name) => hasUnknown(inputs[name]));
      return { revision: unknown ? unknownValue : revisionOf(inputs) };
    },
    written: commandOf,
  },
  delete: deleteWhenFree((api, id) => api.templates.delete(id), usesTemplate),
  readiness: { make: makeReady, unsettled: ["readme", ...Object.keys(unset)] },
};
