import { existsSync, readFileSync } from "node:fs";
import type { Server } from "node:http";
import { answerFrom } from "./answer";
import type { LoggedRequest } from "./emulator";

/** The body of a create request. `as` names its id for later entries, in which `$name` stands for it. */
export type SeedEntry = { as?: string } & Record<string, unknown>;

/** The path of REST on which each kind of a seed is created, in the order of creation. */
const paths = {
  registries: "/registries",
  secrets: "/account/secrets",
  networkVolumes: "/network-volumes",
  globalVolumes: "/global-volumes",
  templates: "/templates",
  endpoints: "/serverless",
  pods: "/pods",
  clusters: "/clusters",
};

export type Seed = { [Kind in keyof typeof paths]?: SeedEntry[] };

/** A seed is refused. The code is an entry of the troubleshooting page. */
const seedError = (what: string) => new Error(`${what} [PODLUMI-SEED]`);

function seedIn(file: string): Seed {
  if (!existsSync(file)) throw seedError(`there is no seed ${JSON.stringify(file)}`);
  const text = readFileSync(file, "utf8");
  try {
    return JSON.parse(text);
  } catch (error) {
    throw seedError(`the seed ${file} is no JSON: ${(error as Error).message}`);
  }
}

/** Creates objects by the rules of REST, and answers the ids of the entries with `as`. The log of requests stays as it was. */
export async function sow(
  server: Server,
  log: LoggedRequest[],
  apiKey: string,
  given: Seed | string,
): Promise<Record<string, string>> {
  const seed = typeof given === "string" ? seedIn(given) : given;
  const unknown = Object.keys(seed).filter((kind) => !Object.hasOwn(paths, kind));
  if (unknown.length > 0)
    throw seedError(`a seed has ${Object.keys(paths).join(", ")}, and no ${unknown.join(", ")}`);
  const ids: Record<string, string> = {};
  const before = log.length;
  for (const kind of Object.keys(paths) as (keyof Seed)[]) {
    for (const [index, { as: name, ...body }] of (seed[kind] ?? []).entries()) {
      const text = JSON.stringify(body, (_key, value) =>
        typeof value === "string" && value.startsWith("$") ? (ids[value.slice(1)] ?? value) : value,
      );
      const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
      const request = { method: "POST", path: `/v2${paths[kind]}`, headers, body: text };
      const answer = await answerFrom(server, request);
      if (answer.status >= 300) throw seedError(`${kind}[${index}] of the seed was refused: ${answer.body}`);
      if (name !== undefined) ids[name] = JSON.parse(answer.body).id;
    }
  }
  log.splice(before);
  return ids;
}
