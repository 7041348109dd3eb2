import * as z from "zod";
import type { RegistryDelegationArgs } from "../../sdk/registry-delegation";
import type { Api } from "../client/api";
import { isRefusal } from "../client/errors";
import { path } from "../client/rest";
import { define, type Made } from "../core/definition";
import { replace } from "../core/field";
import { name } from "./container";

const collection = "/registries/delegations";

const arn = z
  .string()
  .regex(
    /^arn:[^:]+:ecr:[^:]+:[^:]+:repository\/[^:]+(:[^:]+)?$/,
    'must be the ARN of an image in ECR, such as "arn:aws:ecr:us-east-2:123456789012:repository/app:v1"',
  );

const list = (api: Api) => api.rest.list<Made>(collection, "delegations");

/** There is no way to read a single one. (API: Registry delegations) */
const find = async (api: Api, id: string) => (await list(api)).find((delegation) => delegation.id === id);

/** (API: Registry delegations) */
export const registryDelegation = define<RegistryDelegationArgs>({
  noun: "registry delegation",
  fields: { name: replace(name), resource: replace(arn, { writeOnly: true }) },
  create: (api, body) => api.rest.post<Made>(collection, body),
  list,
  read: find,
  async delete(api, id) {
    try {
      await api.rest.delete(path`/registries/delegations/${id}`);
    } catch (error) {
      // The public service says 400 of one that is gone: a look decides. (API: Behaviours, delegations)
      if (!isRefusal(error) || (await find(api, id)) !== undefined) throw error;
    }
  },
});
