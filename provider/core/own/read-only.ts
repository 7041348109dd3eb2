import type { Api } from "../../client/api";
import { readOnly } from "../../words/whose";
import { AdoptionError } from "../errors";
import type { Kind, ServiceObject } from "../kind";

/** Throws for an object that the account can only read: no stack could ever change or delete it. */
export async function failIfReadOnly(kind: Kind, api: Api, object: ServiceObject): Promise<void> {
  const why = await kind.account?.readOnly?.(api, object);
  if (why === undefined) return;
  throw new AdoptionError(readOnly(kind.noun, object.id, why), "PODLUMI-READ-ONLY");
}
