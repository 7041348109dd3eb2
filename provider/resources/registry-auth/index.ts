import * as z from "zod";
import type { Api } from "../../client/api";
import { type Item, inCollection, itemIn } from "../../client/collection";
import { isAnswered, ServiceError } from "../../client/errors";
import { requests } from "../../client/policy";
import type { Definition, Known } from "../../core/kind";
import { change, inPlaceWhere, replace } from "../../schema/field";
import { isRecord, type Properties } from "../../value";
import { name } from "../container";
import { deleteTimeout, deleteWhenUnnamed, usesCredential } from "../in-use";
import { registryAuthShape } from "./outputs";
import type { RegistryAuthArgs } from "./types";

/** If the service can change a login, it changes in place. If not, a new login replaces the credential. */
const login = inPlaceWhere(async (api) => (await wayOf(api)) !== "none");

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

/** The service refuses an id that no credential has. (API: shared container fields) */
export async function registryMustExist(known: Known): Promise<[]> {
  await known(registryAuth, ["registry"], "name");
  return [];
}

const setByGraphql = /* GraphQL */ `
  mutation SetLogin($input: UpdateRegistryAuthInput!) {
    updateRegistryAuth(input: $input) { id }
  }
`;

/** Has no effect, because its only field is skipped. The service still refuses it if the schema lacks the mutation. */
const canSetByGraphql = /* GraphQL */ `
  mutation CanSetLogin {
    updateRegistryAuth(input: { id: "", username: "", password: "" }) @skip(if: true) { id }
  }
`;

/** How the service changes a login in place. */
type Way = "REST" | "GraphQL" | "none";

const wayOf = (api: Api): Promise<Way> =>
  api.once("the way to change a credential", async () => {
    if (await restTakesLogins(api)) return "REST";
    if (await api.graphql.has("CanSetLogin", canSetByGraphql)) return "GraphQL";
    // Two responses must agree on that, since one may be wrong, and another login would replace the credential.
    if (await restTakesLogins(api)) return "REST";
    api.log(
      "neither REST nor GraphQL can change a credential here, so another user name or password replaces it",
    );
    return "none";
  });

async function setLogin(api: Api, id: string, { name, username, password }: Properties): Promise<Item> {
  if ((await wayOf(api)) === "REST") return api.registries.update(id, { username, password });
  const variables = { input: { id, username, password } };
  const set = await api.graphql.mutation("updateRegistryAuth", "change", setByGraphql, variables);
  return { ...itemIn("GraphQL updateRegistryAuth", set), name };
}

/**
 * REST can change a login. That operation has a page since November 2026, but no page shows its body, so the
 * service's own contract decides. Without a contract, it cannot. A failure that passes says nothing: another credential in the place
 * of this one is not created for that. (API: Registry credentials, update)
 */
async function restTakesLogins(api: Api): Promise<boolean> {
  const contract = await api.rest.get<unknown>("/openapi.json").catch((error) => {
    if (error instanceof ServiceError && !isAnswered(error, requests.read)) return undefined;
    throw error;
  });
  const paths = Object.entries(within(contract, contract, "paths") ?? {});
  // assumes: field PATCH /registries/{id}: username, password
  const [, credential] = paths.find(([path]) => /^(\/v2)?\/registries\/\{\w+\}$/.test(path)) ?? [];
  const keys = ["patch", "requestBody", "content", "application/json", "schema", "properties"];
  const properties = within(contract, credential, ...keys);
  return properties !== undefined && "username" in properties && "password" in properties;
}

/** The part of a document at these keys. Follows references. */
function within(document: unknown, part: unknown, ...keys: string[]): Properties | undefined {
  if (!isRecord(part)) return undefined;
  if (typeof part.$ref === "string") {
    const [, ...path] = part.$ref.split("/");
    return within(document, within(document, document, ...path), ...keys);
  }
  const [key, ...rest] = keys;
  return key === undefined ? part : within(document, part[key], ...rest);
}
