import * as z from "zod";
import { inCollection } from "../../client/collection";
import type { Definition, Known } from "../../core/kind";
import { change, replace } from "../../schema/field";
import { name } from "../container";
import { deleteTimeout, deleteWhenUnnamed, usesCredential } from "../in-use";
import { login, setLogin } from "./login";
import { registryAuthShape } from "./outputs";
import type { RegistryAuthArgs } from "./types";

/** (API: Registry credentials) */
export const registryAuth: Definition<RegistryAuthArgs> = {
  type: "RegistryAuth",
  noun: "registry credential",
  naming: { unique: true },
  fields: {
    name: replace(name),
    username: change(z.string().min(1), login, { writeOnly: true, sensitive: true }),
    password: change(z.string().min(1), login, { writeOnly: true, sensitive: true }),
    deleteTimeout,
  },
  outputs: { shape: registryAuthShape },
  ...inCollection("registries"),
  update: (api, id, _patch, inputs) => setLogin(api, id, inputs),
  delete: deleteWhenUnnamed((api, id) => api.registries.delete(id), usesCredential),
};

/** Looks for the credential that the inputs name. The service refuses the id of none. (API: shared container fields) */
export async function lookForRegistry(known: Known): Promise<undefined> {
  await known(registryAuth, ["registry"], "name");
}
