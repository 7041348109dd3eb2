import * as z from "zod";
import type { Api } from "../../client/api";
import { ExpectedError } from "../../client/errors";
import type { Definition } from "../../core/kind";
import { partsOfDescription, withMarkAtEnd } from "../../core/mark/carried";
import { change, inPlaceWhere, replace } from "../../schema/field";
import { isUnknown } from "../../value";
import { deleteTimeout, deleteWhenUnnamed, usesSecret } from "../in-use";
import { referenceTo, secretShape } from "./outputs";
import { secretStore } from "./store";
import type { SecretArgs } from "./types";

/** (API: Secrets, name rules) */
const name = z
  .string()
  .max(191)
  .regex(
    /^[a-zA-Z_][a-zA-Z0-9_.\-/]*$/,
    "must begin with a letter or _ and hold only letters, digits, _, ., - and /",
  )
  .refine(
    (text) => !/^runpod/i.test(text),
    "must not begin with RUNPOD, which the platform keeps for itself",
  );

/** Milliseconds that may pass between two readings of the clock. */
const tick = 500;

const value = z
  .string()
  .min(1)
  .refine((text) => Buffer.byteLength(text) <= 16_777_215, "must not be longer than 16777215 bytes");

/** The service takes 65535 bytes, of which the mark needs some hundred. (API: Secrets) */
const description = z
  .string()
  .refine((text) => Buffer.byteLength(text) <= 65_000, "must not be longer than 65000 bytes")
  .optional();

const canUpdate = async (api: Api) => (await secretStore(api)).update !== undefined;

const unchangeable = "the service cannot change it: replace it with `pulumi up --replace` and its URN";

/** (API: Secrets) */
export const secret: Definition<SecretArgs> = {
  type: "Secret",
  noun: "secret",
  naming: {
    // A list by name ignores case, and has one secret. (API: Secrets, list)
    unique: "ignoring case",
    mark: "description",
    givesValue: true,
    canMark: canUpdate,
  },
  fields: {
    name: replace(name),
    description: change(description, inPlaceWhere(canUpdate), { cleared: "" }),
    value: change(value, inPlaceWhere(canUpdate), { writeOnly: true, sensitive: true }),
    deleteTimeout,
  },
  outputs: {
    shape: secretShape,
    repeats: { reference: "name" },
    written: ({ description }) => ({ description: partsOfDescription(description).text }),
    derive: (_inputs, { name }) => ({ reference: isUnknown(name) ? name : referenceTo(String(name)) }),
  },
  create: async (api, body) => (await secretStore(api)).create(body),
  async list(api, age = 0) {
    const asked = api.clock.now();
    const store = await secretStore(api);
    // The request that chose the store has listed the secrets, so its response may serve here.
    return store.list(Math.max(age, api.clock.now() - asked + tick));
  },
  read: async (api, id, state, { age } = {}) => (await secretStore(api)).read(id, state, age),
  async update(api, id, patch, _inputs, present) {
    const store = await secretStore(api);
    if (store.update === undefined) throw new ExpectedError(unchangeable, "PODLUMI-REFUSED");
    if (patch.description === undefined || partsOfDescription(patch.description).mark !== "")
      return store.update(id, patch);
    // The service replaces a description as a whole.
    const { mark } = partsOfDescription((await present()).description);
    return store.update(id, { ...patch, description: withMarkAtEnd(patch.description, mark) });
  },
  delete: deleteWhenUnnamed(async (api, id) => (await secretStore(api)).delete(id), usesSecret),
};
