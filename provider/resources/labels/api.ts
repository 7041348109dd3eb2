import type { Api } from "../../client/api";
import { anyAge } from "../../client/errand";
import { ExpectedError, hasStatus, isNotFound, undefinedIfExpected } from "../../client/errors";
import { path } from "../../client/rest";
import { noLabels } from "../../words/requests";

/** An object, in the service's words. (API: Tags, attach a tag to a resource) */
export interface Target {
  readonly type: "POD" | "CLUSTER" | "SERVERLESS_ENDPOINT" | "NETWORK_VOLUME";
  readonly id: string;
}

/** A tag, or a cost center, which has no key. The whole organization shares it, so podlumi neither changes nor deletes one. */
export interface Label {
  readonly property: "tags" | "costCenter";
  readonly key?: string;
  readonly value: unknown;
}

/** The code of a service without them, as older ones are. */
export const noTags = "PODLUMI-NO-TAGS";

/** Milliseconds for which a list may lack a label that somebody creates. */
const labelLag = 15_000;

const roots = { tags: "/tags", costCenter: "/cost-centers" };

// assumes: status, field GET /tags: tags*
const collectionOf = (api: Api, property: Label["property"]) =>
  api.collection(roots[property], property === "tags" ? "tags" : "costCenters");

/** The service certainly has no such labels. Where that is not clear, the request itself will tell. */
export async function areMissing(api: () => Api, property: Label["property"]): Promise<boolean> {
  try {
    await collectionOf(api().impatient(), property).list(anyAge);
    return false;
  } catch (error) {
    // Without a key, there is no service to ask.
    undefinedIfExpected(error);
    return isMissing(error);
  }
}

const isMissing = (error: unknown) => isNotFound(error) || hasStatus(error, 405);

/** Attaching again changes nothing. */
export async function attach(api: Api, label: Label, target: Target): Promise<void> {
  await api.rest.put(addressOf(label, await made(api, label), target));
}

export async function detach(api: Api, label: Label, target: Target): Promise<void> {
  const known = await find(api, label, labelLag);
  if (known === undefined) return;
  await api.rest.delete(addressOf(label, known, target)).catch((error) => {
    if (!isNotFound(error)) throw error;
  });
}

// assumes: status PUT /tags/*
const addressOf = ({ property }: Label, label: string, { type, id }: Target) =>
  `${roots[property]}${path`/${label}/resources/${type}/${id}`}`;

/** The id of a label, which one resource of this run creates for all. Another run may create it at the same time. */
function made(api: Api, label: Label): Promise<string> {
  const { property, ...body } = label;
  return api.once(JSON.stringify(label), async () => {
    const known = await find(api, label, labelLag);
    if (known !== undefined) return known;
    try {
      return (await collectionOf(api, property).create(body)).id;
    } catch (error) {
      const theirs = await find(api, label, 0);
      if (theirs === undefined) throw error;
      return theirs;
    }
  });
}

async function find(api: Api, { property, key, value }: Label, age: number): Promise<string | undefined> {
  const all = await collectionOf(api, property)
    .list(age)
    .catch((error) => {
      throw isMissing(error) ? new ExpectedError(noLabels(property), noTags, { cause: error }) : error;
    });
  return all.find((one) => one.key === key && one.value === value)?.id;
}
