import { checker, type Failure } from "../../provider/core/check";
import type { Definition } from "../../provider/core/definition";
import { networkVolume } from "../../provider/resources/network-volume";
import { pod } from "../../provider/resources/pod";
import { registryAuth } from "../../provider/resources/registry-auth";
import { serverlessEndpoint } from "../../provider/resources/serverless-endpoint";
import { template } from "../../provider/resources/template";
import type { Kind } from "../../sdk/v1";

/** The provider's half of each kind. */
export const definitions = {
  NetworkVolume: networkVolume,
  Pod: pod,
  RegistryAuth: registryAuth,
  ServerlessEndpoint: serverlessEndpoint,
  Template: template,
} as unknown as Readonly<Record<Kind, Definition<Record<string, unknown>>>>;

/** What podlumi's own check says of arguments, before the service is asked. */
export function checked(kind: Kind, args: object): Failure[] {
  const { fields, rules } = definitions[kind];
  return checker(fields, rules)({ name: "logical", ...args });
}
