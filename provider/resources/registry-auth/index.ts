import * as z from "zod";
import { itemIn } from "../../client/collection";
import { define } from "../../core/definition";
import { change, inPlaceWhere, replace } from "../../core/field";
import { name } from "../container";
import { deleteTimeout, deleteWhenFree } from "../delete-when-free";
import { usersOfCredential } from "../users";
import type { RegistryAuthArgs } from "./types";

const setLogin = /* GraphQL */ `
  mutation SetLogin($input: UpdateRegistryAuthInput!) {
    updateRegistryAuth(input: $input) { id }
  }
`;

interface Answer {
  updateRegistryAuth: unknown;
}

/** Has no effect, because its only field is skipped. The service still refuses it if the schema lacks the mutation. */
const canSetLogin = /* GraphQL */ `
  mutation CanSetLogin {
    updateRegistryAuth(input: { id: "", username: "", password: "" }) @skip(if: true) { id }
  }
`;

/** REST v2 cannot change a credential; GraphQL can, if its schema has the mutation. (API: What has no v2 equivalent) */
const login = inPlaceWhere((api) =>
  api.once("updateRegistryAuth", () => api.graphql.has("CanSetLogin", canSetLogin)),
);

/** (API: Registry credentials) */
export const registryAuth = define<RegistryAuthArgs>({
  noun: "registry credential",
  uniqueName: true,
  fields: {
    name: replace(name),
    username: change(z.string().min(1), login, { writeOnly: true, sensitive: true }),
    password: change(z.string().min(1), login, { writeOnly: true, sensitive: true }),
    deleteTimeout,
  },
  create: (api, body) => api.registries.create(body),
  list: (api, age) => api.registries.list(age),
  read: (api, id, _state, age) => api.registries.find(id, age),
  async update(api, id, _patch, { name, username, password }) {
    const input = { id, username, password };
    const set = await api.graphql.mutation<Answer>("updateRegistryAuth", "change", setLogin, { input });
    return { ...itemIn("GraphQL updateRegistryAuth", set.updateRegistryAuth), name };
  },
  delete: (api, id, state) =>
    deleteWhenFree(api, api.registries, id, state, () => usersOfCredential(api, id)),
});
