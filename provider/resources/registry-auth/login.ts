import type { Api } from "../../client/api";
import { isAnswered, ServiceError } from "../../client/errors";
import { requests } from "../../client/policy";
import { inPlaceWhere } from "../../schema/field";
import { isRecord, type Properties } from "../../value";

/** If the service can change a login, it changes in place. If not, a new login replaces the credential. */
export const login = inPlaceWhere((api) =>
  api.once("whether the service changes a credential", async () => {
    // Two responses must agree that it cannot, since one may be wrong, and another login would replace the credential.
    if ((await takesLogins(api)) || (await takesLogins(api))) return true;
    api.log("REST cannot change a credential here, so another user name or password replaces it");
    return false;
  }),
);

/**
 * That operation has a page since November 2026, but no page shows its body, so the service's own contract decides. Without a contract, it
 * cannot. A failure that passes says nothing: another credential in the place of this one is not created for that. (API: Registry
 * credentials, update)
 */
async function takesLogins(api: Api): Promise<boolean> {
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
