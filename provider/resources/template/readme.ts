import type { Api } from "../../client/api";
import { anyAge } from "../../client/errand";
import { ExpectedError, isUnclear, undefinedIfExpected } from "../../client/errors";
import { isRetired, orIfNotInSchema } from "../../client/graphql";
import type { Shared } from "../../client/shared";
import { HalfDoneError, RefusedError } from "../../core/errors";
import type { Observed, Unready } from "../../core/kind";
import { only } from "../../core/state/internals";
import { unfinishedIn } from "../../core/state/unfinished";
import { at } from "../../path";
import type { Failure } from "../../schema/failure";
import type { Change, ChangeRule } from "../../schema/field";
import { covers, filtered, isEmpty, isUnknown, mapped, type Properties } from "../../value";
import { readmeWouldOverwrite } from "../../words/references";

const listReadmes = /* GraphQL */ `
  query Readmes {
    myself { podTemplates { id readme } }
  }
`;

interface Readme {
  readonly id: string;
  readonly readme: string | null;
}

/** The readme of a template, `""` when it has none; undefined when GraphQL has no readmes, or is retired. (API: GraphQL) */
export async function readmeOf(api: Api, id: string, age?: number): Promise<string | undefined> {
  const ifLacking = orIfNotInSchema(() => undefined);
  const all = readmes(api).list(age);
  const templates = await all.catch((error) => (isRetired(error) ? undefined : ifLacking(error)));
  return templates && (templates.find((template) => template.id === id)?.readme ?? "");
}

/** A readme can be saved. Without a key, or another answer soon, it can: the request itself will tell. */
async function savesReadmes(api: () => Api): Promise<boolean> {
  try {
    await readmes(api().impatient()).list(anyAge);
    return true;
  } catch (error) {
    undefinedIfExpected(error);
    return !isRetired(error);
  }
}

/** GraphQL cannot read a single template, so all of them are read. */
function readmes(api: Api): Shared<Readme> {
  return api.shared("readmes", { all: () => api.graphql.list<Readme>("podTemplates", listReadmes) });
}

/** A readme goes over GraphQL alone. Where that is retired, a new one fails in the preview, and a removal changes only the state. */
export const readmeChange: ChangeRule = async (_from, to, { api }): Promise<Change> => {
  // It may turn out to be the one that the template has.
  if (isUnknown(to) || (await savesReadmes(api))) return "update";
  if (!isEmpty(to)) throw new RefusedError(`readme: ${noReadmes}`, "PODLUMI-RETIRED");
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

/** The settings that the specification's `saveTemplate` lacks, and the value that it gives each of them. (API: GraphQL, saveTemplate) */
export const unset = {
  public: false,
  category: "NVIDIA",
  startSsh: true,
  startJupyter: true,
  allowedCudaVersions: [],
} as const;

const lacking = Object.keys(unset);

/**
 * Saves the readme over GraphQL, and has REST restore the settings that a save resets. The state keeps the readme of before, or is not
 * ready, until both are done: after a failure or a kill, the next `up` does both again.
 */
export async function makeReady(unready: Unready): Promise<Observed> {
  const { api, id, observed, before, isNew } = unready;
  const { readme } = unready.wanted;
  const present = before.readme ?? observed.readme;
  if (readme === undefined || (readme === present && !unfinishedIn(before).isNotReady))
    return complete(observed, readme ?? "");
  // A response may leave mounts out, or show them as before an update. A save without them would remove them.
  const mounts = isEmpty(observed.mounts) ? unready.wanted.mounts : observed.mounts;
  const whole = complete({ ...observed, mounts, ...beforeSaves(unready) }, readme);
  const failWith = (error: unknown, last: unknown): never => {
    throw HalfDoneError.of(error, complete(whole, last));
  };
  const saved = await saveReadme(api, id, whole, isNew).catch(async (error) => {
    // Nothing can remove it any more, as the preview has said. A gateway's 410 proves nothing: then a look finds readmes.
    if (readme === "" && isRetired(error) && !(await savesReadmes(() => api))) return observed;
    return failWith(error, isUnclear(error) ? readme || present : present);
  });
  const lost = filtered(
    only(lacking, whole),
    (name, value) => !isEmpty(value) && !covers(saved[name], value),
  );
  if (isEmpty(lost)) return whole;
  const restoration = api.templates.update(id, lost);
  return { ...whole, ...(await restoration.catch((error) => failWith(error, readme || present))) };
}

/**
 * The settings as they were before any save. A value that a save gives is taken for one that it has reset: where the program declares
 * another one, and, after a failure, where the state has another one.
 */
function beforeSaves({ wanted, observed, before }: Unready): Properties {
  const [known, otherwise] = unfinishedIn(before).isNotReady ? [before, observed] : [observed, before];
  return mapped(unset, (reset, name) => {
    const isReset = observed[name] == null || covers(observed[name], reset);
    return isReset ? (wanted[name] ?? known[name] ?? otherwise[name]) : observed[name];
  });
}

/** Adds `mounts`, which the live service omits when there are none, and the readme, which REST never returns. */
export function complete(observed: Observed, readme: unknown): Observed {
  return { ...observed, mounts: observed.mounts ?? {}, readme };
}

/**
 * Saves the readme, which only GraphQL can do. `saveTemplate` overwrites the whole template, so it receives all settings. Returns those
 * of which its response shows that it has kept them.
 */
async function saveReadme(api: Api, id: string, whole: Observed, isNew: boolean): Promise<Properties> {
  const missing = ["image", "args", "disk", "env", "ports"].filter((name) => whole[name] == null);
  if (missing.length > 0) throw new ExpectedError(readmeWouldOverwrite(missing), "PODLUMI-UNREADABLE");
  const input = {
    id,
    name: whole.name,
    imageName: whole.image,
    containerDiskInGb: whole.disk,
    volumeInGb: at(whole, "mounts", "persistent", "size") ?? 0,
    volumeMountPath: at(whole, "mounts", "persistent", "path"),
    env: Object.entries(whole.env as Record<string, string>).map(([key, value]) => ({ key, value })),
    ports: (whole.ports as string[]).join(","),
    isServerless: whole.serverless,
    containerRegistryAuthId: whole.registry ?? undefined,
    readme: whole.readme,
  };
  /** `args` and `settings`: the names of the container's arguments, and of the settings that it can save. */
  const send = async (args: string, settings: Readonly<Record<string, string>>, extras: object) => {
    const more = Object.fromEntries(Object.entries(settings).map(([name, theirs]) => [theirs, whole[name]]));
    const variables = { input: { ...input, ...extras, [args]: whole.args, ...more } };
    const document = saveMutation(Object.values(settings));
    const response = await api.graphql.mutation("saveTemplate", "change", document, variables);
    return mapped(settings, (theirs) => Object(response)[theirs]);
  };
  const sendPublished = async () =>
    send("dockerArgs", publishedSettings, isNew ? {} : await extrasOf(api, id));
  try {
    return await send("containerArgs", {}, {}).catch(orIfNotInSchema(sendPublished));
  } catch (error) {
    // A save without a clear answer may have been done. A look may show that it was, but not with which settings.
    if (isUnclear(error) && (await readmeOf(api, id).catch(() => undefined)) === whole.readme) return {};
    throw error;
  } finally {
    readmes(api).seen.changed(id);
  }
}

/** The public service has another form of `saveTemplate` than the specification, with these settings. */
const publishedSettings = {
  public: "isPublic",
  category: "category",
  startSsh: "startSsh",
  startJupyter: "startJupyter",
};

const saveMutation = (settings: readonly string[]) => /* GraphQL */ `
  mutation SaveTemplate($input: SaveTemplateInput!) {
    saveTemplate(input: $input) { id ${settings.join(" ")} }
  }
`;

const listExtras = /* GraphQL */ `
  query Extras {
    myself { podTemplates { id advancedStart startScript portsConfig { port name } } }
  }
`;

/** Settings that only the public service's GraphQL has: nothing else can restore them after a save. */
async function extrasOf(api: Api, id: string): Promise<Properties> {
  const listed = api.graphql.list<Properties>("podTemplates", listExtras);
  const templates = await listed.catch(orIfNotInSchema(() => []));
  const extras = templates.find((template) => template.id === id) ?? {};
  return filtered(extras, (name, value) => name !== "id" && value !== null);
}
