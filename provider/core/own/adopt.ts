import * as z from "zod";
import type { Api } from "../../client/api";
import { extended } from "../../client/errors";
import { nearestName } from "../../did-you-mean";
import { logOnce, warn } from "../../engine/log";
import { at } from "../../path";
import { type FieldTable, setting } from "../../schema/field";
import { hasUnknown } from "../../value";
import {
  adoptDiffers,
  adoptNothing,
  adoptRenamed,
  adoptSeveral,
  importedMark,
  readOnly,
} from "../../words/whose";
import type { Resource } from "../call";
import { describeChanges, type Match, matchOf } from "../compare/match";
import { RefusedError } from "../errors";
import type { Kind, ServiceObject } from "../kind";
import { type Mark, ownerOf } from "../mark/mark";
import { isHidden } from "../state/secrets";
import { describe, nothingWithId } from "../telling";
import { holderIn } from "./standing";

const choice = z.union([z.string().min(1), z.strictObject({ name: z.string().min(1) })]);

const code = "PODLUMI-ADOPT";

/** The argument `adopt` of every kind that is not single. Adding or removing it causes no update. */
export const adoptField = setting(
  z
    .unknown()
    .refine((value) => choice.safeParse(value).success, 'must be an id, or a name as in { name: "…" }')
    .optional(),
  "none",
);

/** Finds the object to adopt, and tells how that changes. Throws when it cannot be adopted; undefined while `adopt` is unknown. */
export async function objectToAdopt(resource: Resource): Promise<Match | undefined> {
  const { kind, record, urn, inputs, api } = resource;
  const { adopt, ...given } = inputs;
  if (hasUnknown(adopt)) return undefined;
  // A create goes on with the one of which its check has told, though it may have another name by now.
  const id =
    typeof adopt === "string" ? adopt : (record.foundId ?? (await idOf(resource, at(adopt, "name"))));
  const observed = await kind.read(api(), id, given);
  if (observed === undefined) {
    const nothing = new RefusedError(await nothingWithId(kind, api(), id), code);
    throw extended(nothing, "Remove adopt to create one");
  }
  await failIfReadOnly(kind, api(), { ...observed, id });
  const match = await matchOf(kind, api(), given, { ...observed, id });
  const fields: FieldTable = kind.fields;
  const isShown = (name: string) => !isHidden(resource, name) && fields[name]?.mayBeSecret !== true;
  if (match.replaces.length === 0) {
    logOnce(urn, `adopts the ${describe(kind, match.observed)} ${describeChanges(inputs, match, isShown)}`);
    return match;
  }
  const value = (name: string) =>
    isShown(name)
      ? shown(fields[name]?.held?.(observed) ?? match.written[name] ?? observed[name])
      : "different";
  const differing = match.replaces.map((name) => `${name} is ${value(name)} there`);
  throw new RefusedError(adoptDiffers(kind.noun, id, differing), "PODLUMI-ADOPT-DIFFERS");
}

async function idOf({ kind, inputs, api }: Resource, name: unknown): Promise<string> {
  const all = (await kind.list(api())) ?? [];
  const [id, ...others] = all.filter((object) => object.name === name).map((object) => object.id);
  if (id !== undefined && others.length === 0) return id;
  const { noun } = kind;
  // A killed adoption may have renamed the object already.
  const renamed = id === undefined ? all.find((object) => object.name === inputs.name) : undefined;
  if (renamed !== undefined) throw new RefusedError(adoptRenamed(noun, name, renamed.id), code);
  const nothing = () => adoptNothing(noun, name, nearestName(String(name), all));
  throw new RefusedError(id === undefined ? nothing() : adoptSeveral(noun, name, [id, ...others]), code);
}

function shown(value: unknown): string {
  return value === undefined || value === null ? "not set" : JSON.stringify(value);
}

/** Throws for an object that the account can only read: no stack could ever change or delete it. */
export async function failIfReadOnly(kind: Kind, api: Api, object: ServiceObject): Promise<void> {
  const why = await kind.account?.readOnly?.(api, object);
  if (why !== undefined) throw new RefusedError(readOnly(kind.noun, object.id, why), "PODLUMI-READ-ONLY");
}

/** Warns of an object that carries the mark of another stack: that one goes on to change it. */
export function warnOfForeignMark(resource: Resource, mark: Mark | undefined, id: string): void {
  if (mark === undefined || mark.digits.stack === ownerOf(resource.inputs)?.digits.stack) return;
  warn(resource.urn, importedMark(resource.kind.noun, holderIn(mark), id), "PODLUMI-FOREIGN-MARK");
}
