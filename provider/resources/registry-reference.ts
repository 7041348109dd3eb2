import type { Known } from "../core/kind/definition";
import { registryAuth } from "./registry-auth";

/** Looks at the credential that the inputs name. The service refuses the id of none. (API: shared container fields) */
export function lookAtRegistry(known: Known): Promise<unknown> {
  return known(registryAuth, ["registry"], "name");
}
