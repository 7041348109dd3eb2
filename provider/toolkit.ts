/**
 * What the functions of a program are made of. They run in the program's own process, which loads this with the
 * first call.
 *
 * @packageDocumentation
 */
import type { Kind } from "../sdk/resource";
import type { Definition } from "./core/definition";
import { networkVolume } from "./resources/network-volume";
import { pod } from "./resources/pod";
import { registryAuth } from "./resources/registry-auth";
import { secret } from "./resources/secret";
import { serverlessEndpoint } from "./resources/serverless-endpoint";
import { template } from "./resources/template";

export { Api } from "./client/api";
export { ExpectedError } from "./client/errors";
export { query } from "./client/query";
export { path } from "./client/rest";
export { settings } from "./config";
export { didYouMean } from "./core/missing";
export { act } from "./resources/pod-status";

/** What a lookup needs of each kind. */
export const definitions: Record<Kind, Pick<Definition<unknown>, "noun" | "list" | "read" | "delete">> = {
  NetworkVolume: networkVolume,
  Pod: pod,
  RegistryAuth: registryAuth,
  Secret: secret,
  ServerlessEndpoint: serverlessEndpoint,
  Template: template,
};
