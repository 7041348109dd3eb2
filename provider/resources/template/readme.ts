import type { Api } from "../../client/api";
import { ExpectedError, isOpen, unreadable } from "../../client/errors";
import { NotInSchemaError } from "../../client/graphql";
import { Shared } from "../../client/shared";
import type { Observed } from "../../core/definition";
import { at } from "../../core/path";

const listReadmes = /* GraphQL */ `
  query Readmes {
    myself { podTemplates { id readme } }
  }
`;

interface Templates {
  readonly myself: { readonly podTemplates: Readme[] } | null;
}

interface Readme {
  readonly id: string;
  readonly readme: string | null;
}

/** The readme of a template, `""` when it has none; undefined when the schema has no readmes. (API: GraphQL) */
export async function readmeOf(api: Api, id: string, age?: number): Promise<string | undefined> {
  try {
    const templates = await (await readmes(api)).list(age);
    return templates.find((template) => template.id === id)?.readme ?? "";
  } catch (error) {
    if (error instanceof NotInSchemaError) return undefined;
    throw error;
  }
}

/** GraphQL cannot read a single template, so all of them are read. */
function readmes(api: Api): Promise<Shared<Readme>> {
  const all = async () => {
    const answer = await api.graphql.query<Templates>("podTemplates", listReadmes);
    const templates = answer.myself?.podTemplates;
    if (!Array.isArray(templates))
      throw unreadable("GraphQL podTemplates", 200, "it has no list of templates");
    return templates;
  };
  return api.once("readmes", async () => new Shared(all, api.clock));
}

/**
 * Sets the readme, which only GraphQL can do. `saveTemplate` overwrites the whole template, so it receives all observed
 * settings. REST then restores the settings that its input lacks.
 */
export async function setReadme(api: Api, id: string, wanted: Observed): Promise<Observed> {
  const lacking = ["image", "args", "disk", "env", "ports"].filter((name) => wanted[name] == null);
  if (lacking.length > 0) throw new ExpectedError(untold(lacking), "PODLUMI-UNREADABLE");
  const save = saveTemplate(api, String(wanted.args), {
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
  await save.catch((error) => failUnlessSaved(api, id, wanted.readme, error));
  (await readmes(api)).changed(id);
  const { public: isPublic, category, startSsh, startJupyter, allowedCudaVersions } = wanted;
  const kept = { public: isPublic, category, startSsh, startJupyter, allowedCudaVersions };
  return { ...wanted, ...(await api.templates.update(id, kept)) };
}

const untold = (names: readonly string[]) =>
  `the service answers the template without ${names.join(", ")}, which saving a readme would overwrite. No readme was saved: run the ` +
  "command again in a minute";

/** A save without a clear answer may have been done. A look may show that it was. */
async function failUnlessSaved(api: Api, id: string, readme: unknown, error: Error): Promise<void> {
  if (!isOpen(error)) throw error;
  (await readmes(api)).changed(id);
  if ((await readmeOf(api, id).catch(() => undefined)) !== readme) throw error;
}

const saveMutation = /* GraphQL */ `
  mutation SaveTemplate($input: SaveTemplateInput!) {
    saveTemplate(input: $input) { id }
  }
`;

/** The specification calls the container's arguments `containerArgs`; the public service calls them `dockerArgs`. */
const argumentNames = ["containerArgs", "dockerArgs"] as const;

/** The first to save learns which name the service takes. The others wait for that, as a wrong name is one more request. */
async function saveTemplate(api: Api, args: string, input: object): Promise<void> {
  const send = async (name: (typeof argumentNames)[number]) => {
    await api.graphql.mutation("saveTemplate", "change", saveMutation, { input: { ...input, [name]: args } });
    return name;
  };
  let isFirst = false;
  const learned = api.once("the name of a template's arguments", async () => {
    isFirst = true;
    const [first, second] = argumentNames;
    return send(first).catch((error) => {
      if (!(error instanceof NotInSchemaError)) throw error;
      return send(second);
    });
  });
  // The first one may have failed for a reason that concerns only its own template.
  const name = isFirst ? await learned : await learned.catch(() => undefined);
  if (isFirst) return;
  if (name === undefined) return saveTemplate(api, args, input);
  await send(name);
}
