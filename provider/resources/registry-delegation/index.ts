import * as z from "zod";
import { isRefusal } from "../../client/errors";
import { define } from "../../core/definition";
import { replace } from "../../core/field";
import { name } from "../container";
import type { RegistryDelegationArgs } from "./types";

/** The contract wants an ARN, with a tag or without. A client of the live service sends the name of the image. */
const image = z
  .string()
  .regex(
    /^(arn:[^:]+:ecr:[^:]+:[^:]+:repository\/[^:]+(:[^:]+)?|[^/:]+\.dkr\.ecr\.[^/:]+\/[^:]+:[^:]+)$/,
    'must be the ARN of an image in ECR, such as "arn:aws:ecr:us-east-2:123456789012:repository/app:v1", or its name',
  );

/** (API: Registry delegations) */
export const registryDelegation = define<RegistryDelegationArgs>({
  noun: "registry delegation",
  fields: { name: replace(name), resource: replace(image, { writeOnly: true }) },
  create: (api, body) => api.delegations.create(body),
  list: (api, age) => api.delegations.list(age),
  read: (api, id, _state, age) => api.delegations.find(id, age),
  written: async (_api, _id, { awsRegion, awsUser, repository, tag }) => ({
    resource: `arn:aws:ecr:${awsRegion}:${awsUser}:repository/${repository}:${tag}`,
  }),
  async delete(api, id) {
    try {
      await api.delegations.delete(id);
    } catch (error) {
      // The public service answers 400 for a delegation that is gone, so a read decides. (API: Behaviours, delegations)
      if (!isRefusal(error) || (await api.delegations.find(id)) !== undefined) throw error;
    }
  },
});
