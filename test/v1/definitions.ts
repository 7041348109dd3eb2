import type { Definition } from "../../provider/core/kind";
import { networkVolume } from "../../provider/resources/network-volume";
import { pod } from "../../provider/resources/pod";
import { registryAuth } from "../../provider/resources/registry-auth";
import { serverlessEndpoint } from "../../provider/resources/serverless-endpoint";
import { template } from "../../provider/resources/template";
import { checker } from "../../provider/schema/check";
import type { Failure } from "../../provider/schema/failure";
import type { Kind } from "../../sdk/v1";

/** The provider's definition of each kind. */
export const definitions = {
  NetworkVolume: networkVolume,
  Pod: pod,
  RegistryAuth: registryAuth,
  ServerlessEndpoint: serverlessEndpoint,
  Template: template,
} as unknown as Readonly<Record<Kind, Definition<Record<string, unknown>>>>;

/** The failures that podlumi's own check finds in the arguments. */
export function checked(kind: Kind, args: object): Failure[] {
  const { fields, rules } = definitions[kind];
  return checker(fields, rules)({ name: "logical", ...args });
}
