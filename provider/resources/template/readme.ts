import type { Api } from "../../client/api";
import { ExpectedError, isOpen, undefinedIfExpected, unreadable } from "../../client/errors";
import { isRetired, orIfNotInSchema } from "../../client/graphql";
import type { Shared } from "../../client/shared";
import type { Observed } from "../../core/kind";
import { at } from "../../path";
import { filtered, isEmpty, keyed, mapped, type Properties } from "../../value";
import { readmeWouldOverwrite } from "../../words/references";

const listReadmes = /* GraphQL */ `
  query Readmes {
    myself { podTemplates { id readme } }
  }
`;

interface Listed<Template> {
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
function readmes(api: Api): Shared<Readme> {
  const all = async () => {
    const response = await api.graphql.query<Listed<Readme>>("podTemplates", listReadmes);
    const templates = response.myself?.podTemplates;
    if (!Array.isArray(templates))
      throw unreadable("GraphQL podTemplates", 200, "it has no list of templates");
    return templates;
  };
  return api.shared("readmes", { all });
}

/**
 * Saves the readme, which only GraphQL can do. `saveTemplate` overwrites the whole template, so it receives all observed settings.
 * Returns those that REST has to restore, since the save lacks them.
 */
export async function saveReadme(
  api: Api,
  id: string,
  wanted: Observed,
  { isNew }: { readonly isNew: boolean },
): Promise<Properties> {
  const missing = ["image", "args", "disk", "env", "ports"].filter((name) => wanted[name] == null);
  if (missing.length > 0) throw new ExpectedError(readmeWouldOverwrite(missing), "PODLUMI-UNREADABLE");
  const extras = () => (isNew ? {} : extrasOf(api, id));
  const save = saveTemplate(api, wanted, extras, {
    id,
    name: wanted.name,
    imageName: wanted.image,
    containerDiskInGb: wanted.disk,
    volumeInGb: at(wanted, "mounts", "persistent", "size") ?? 0,
    volumeMountPath: at(wanted, "mounts", "persistent", "path"),
    env: Object.entries(wanted.env as Record<string, string>).map(([key, value]) => ({ key, value })),
    ports: (wanted.ports as string[]).join(","),
    isServerless: wanted.serverless,
    containerRegistryAuthId: wanted.registry ?? undefined,
    readme: wanted.readme,
  });
  const saved = await save.catch((error) => failUnlessSaved(api, id, wanted.readme, error));
  readmes(api).seen.changed(id);
  const lost = lacking.filter((name) => !isEmpty(wanted[name]) && saved[name] !== wanted[name]);
  return keyed(lost, (name) => wanted[name]);
}

const listExtras = /* GraphQL */ `
  query Extras {
    myself { podTemplates { id advancedStart startScript portsConfig { port name } } }
  }
`;

/** Settings that only the public service's GraphQL has: nothing else can restore them after a save. */
async function extrasOf(api: Api, id: string): Promise<Properties> {
  const query = api.graphql.query<Listed<Properties>>("podTemplates", listExtras);
  const { myself } = await query.catch(orIfNotInSchema(() => ({ myself: null })));
  const extras = myself?.podTemplates.find((template) => template.id === id);
  return filtered(extras ?? {}, (name, value) => name !== "id" && value !== null);
}

/** A save without a clear answer may have been done. A look may show that it was, but not with which settings. */
async function failUnlessSaved(api: Api, id: string, readme: unknown, error: Error): Promise<Properties> {
  if (!isOpen(error)) throw error;
  readmes(api).seen.changed(id);
  if ((await readmeOf(api, id).catch(() => undefined)) !== readme) throw error;
  return {};
}

/** The settings that the specification's `saveTemplate` lacks, and the value that it gives each of them. (API: GraphQL, saveTemplate) */
export const unset = {
  public: false,
  category: "NVIDIA",
  startSsh: true,
  startJupyter: true,
  allowedCudaVersions: [],
} as const;

export type Lacking = keyof typeof unset;

export const lacking = Object.keys(unset) as Lacking[];

/** A form of `saveTemplate`: its name for the container's arguments, and for settings that the specification's lacks. */
interface Form {
  readonly args: string;
  readonly settings: Partial<Record<Lacking, string>>;
}

const specified: Form = { args: "containerArgs", settings: {} };

const published: Form = {
  args: "dockerArgs",
  settings: { public: "isPublic", category: "category", startSsh: "startSsh", startJupyter: "startJupyter" },
};

/** Sends a save, and returns the settings that its response has. The public service has another form of it than the specification. */
async function saveTemplate(
  api: Api,
  wanted: Observed,
  extras: () => object | Promise<object>,
  input: object,
): Promise<Properties> {
  const send = async ({ args, settings }: Form, kept: object) => {
    const more = Object.entries(settings).map(([name, other]) => [other, wanted[name]]);
    const response = await api.graphql.mutation(
      "saveTemplate",
      "change",
      saveMutation(Object.values(settings)),
      {
        input: { ...input, ...kept, [args]: wanted.args, ...Object.fromEntries(more) },
      },
    );
    return mapped(settings, (other) => Object(response)[other]);
  };
  return send(specified, {}).catch(orIfNotInSchema(async () => send(published, await extras())));
}

const saveMutation = (settings: readonly string[]) => /* GraphQL */ `
  mutation SaveTemplate($input: SaveTemplateInput!) {
    saveTemplate(input: $input) { id ${settings.join(" ")} }
  }
`;
