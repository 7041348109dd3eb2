import * as z from "zod";
import { inCollection } from "../../client/collection";
import { isRefusal } from "../../client/errors";
import type { Definition } from "../../core/kind";
import { type ChangeRule, change, replace } from "../../schema/field";
import { hasUnknown, keyed, type Properties, unknownValue } from "../../value";
import { name } from "../container";
import { imageOf, registryDelegationShape } from "./outputs";
import type { RegistryDelegationArgs, RegistryDelegationState } from "./types";

/** The contract wants an ARN, with a tag or without. A client of the live service sends the name of the image. */
const forms = [
  /^arn:aws[a-z-]*:ecr:(?<awsRegion>[a-z0-9-]+):(?<awsUser>\d{12}):repository\/(?<repository>[^:]+)(:(?<tag>[^:]+))?$/,
  /^(?<awsUser>\d{12})\.dkr\.ecr\.(?<awsRegion>[a-z0-9-]+)\.amazonaws\.com[a-z.]*\/(?<repository>[^:]+):(?<tag>[^:]+)$/,
];

const image = z
  .string()
  .refine(
    (text) => forms.some((form) => form.test(text)),
    'must be the ARN of an image in ECR, such as "arn:aws:ecr:us-east-2:123456789012:repository/app:v1", or its name',
  );

/** A text names the image that a delegation has, as the service tells it. */
function isItsImage(text: unknown, state: Properties): boolean {
  const parts = forms.map((form) => form.exec(String(text))?.groups).find((groups) => groups !== undefined);
  return parts !== undefined && Object.entries(parts).every(([name, part]) => part === state[name]);
}

/** Another text for it changes only the state. */
const anotherImage: ChangeRule = (_from, to, { state }) => (isItsImage(to, state) ? "update" : "replace");

/** Nothing of one can be changed in place. */
const { update, ...calls } = inCollection("delegations");

/** (API: Registry delegations) */
export const registryDelegation: Definition<RegistryDelegationArgs> = {
  type: "RegistryDelegation",
  noun: "registry delegation",
  fields: { name: replace(name), resource: change(image, anotherImage, { writeOnly: true }) },
  outputs: {
    shape: registryDelegationShape,
    repeats: keyed(
      ["awsUser", "awsRegion", "repository", "tag", "dockerRegistryUri", "image"],
      () => "resource",
    ),
    derive: (_inputs, outputs) => ({
      image: hasUnknown(outputs) ? unknownValue : imageOf(outputs as unknown as RegistryDelegationState),
    }),
    written: ({ awsRegion, awsUser, repository, tag }) => ({
      resource: `arn:aws:ecr:${awsRegion}:${awsUser}:repository/${repository}:${tag}`,
    }),
  },
  ...calls,
  async delete(api, id) {
    try {
      return await api.delegations.delete(id);
    } catch (error) {
      // The public service answers 400 for a delegation that is gone, so a read decides. (API: Behaviours, delegations)
      if (!isRefusal(error) || (await api.delegations.find(id)) !== undefined) throw error;
      return false;
    }
  },
};
