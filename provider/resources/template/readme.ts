import type { Api } from "../../client/api";
import { undefinedIfExpected, unreadable } from "../../client/errors";
import { isRetired, orIfNotInSchema } from "../../client/graphql";
import type { Shared } from "../../client/shared";
import { AdoptionError } from "../../core/errors";
import type { Failure } from "../../schema/failure";
import type { Change, ChangeRule } from "../../schema/field";
import { isEmpty, isUnknown, type Properties } from "../../value";

const listReadmes = /* GraphQL */ `
  query Readmes {
    myself { podTemplates { id readme } }
  }
`;

export interface Listed<Template> {
  readonly myself: { readonly podTemplates: Template[] } | null;
}

interface Readme {
  readonly id: string;
  readonly readme: string | null;
}

/** The readme of a template, `""` when it has none; undefined when GraphQL has no readmes, or is retired. (API: GraphQL) */
export async function readmeOf(api: Api, id: string, age?: number): Promise<string | undefined> {
  const lacking = orIfNotInSchema(() => undefined);
  const all = readmes(api).list(age);
  const templates = await all.catch((error) => (isRetired(error) ? undefined : lacking(error)));
  return templates && (templates.find((template) => template.id === id)?.readme ?? "");
}

/** A readme can be saved. Without a key, or another answer soon, it can: the request itself will tell. */
export async function savesReadmes(api: () => Api): Promise<boolean> {
  try {
    await readmes(api().impatient()).list(Number.POSITIVE_INFINITY);
    return true;
  } catch (error) {
    undefinedIfExpected(error);
    return !isRetired(error);
  }
}

/** GraphQL cannot read a single template, so all of them are read. */
export function readmes(api: Api): Shared<Readme> {
  const all = async () => {
    const response = await api.graphql.query<Listed<Readme>>("podTemplates", listReadmes);
    const templates = response.myself?.podTemplates;
    if (!Array.isArray(templates))
      throw unreadable("GraphQL podTemplates", 200, "it has no list of templates");
    return templates;
  };
  return api.shared("readmes", { all });
}

/** A readme goes over GraphQL alone. Where that is retired, a new one fails in the preview, and a removal changes only the state. */
export const readmeChange: ChangeRule = async (_from, to, { api }): Promise<Change> => {
  // It may turn out to be the one that the template has.
  if (isUnknown(to) || (await savesReadmes(api))) return "update";
  if (!isEmpty(to)) throw new AdoptionError(`readme: ${noReadmes}`, "PODLUMI-RETIRED");
  api().log("the template keeps its readme: the service has retired GraphQL, which alone removes it");
  return "update";
};

/** The readme that a new template cannot get. */
export async function readmeConflict(api: Api, { readme }: Properties): Promise<Failure | undefined> {
  if (isEmpty(readme) || (await savesReadmes(() => api))) return undefined;
  return { property: "readme", reason: noReadmes, code: "PODLUMI-RETIRED" };
}

const noReadmes =
  "the service has retired GraphQL, which alone saves a readme: take readme out of the program";
