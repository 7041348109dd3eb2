import * as z from "zod";
import type { Api } from "../../client/api";
import { continued, extended } from "../../client/errors";
import { nearestName } from "../../did-you-mean";
import { warn } from "../../engine/log";
import { type Match, matchOf } from "../compare/match";
import { AdoptionError } from "../errors";
import { failIfReadOnly } from "../guard/read-only";
import type { Kind, ServiceObject } from "../kind/definition";
import { setting } from "../kind/field";
import { ownerOf } from "../kind/mark";
import { hasOtherMark, markDigits, markToGet, willCarry } from "../kind/ownership";
import { isHidden } from "../kind/secret-outputs";
import { provisionalName } from "../names/naming";
import { heldBy, heldError, leaveNameOut, stacksThatKeep, takeOut } from "../owner/held-elsewhere";
import { StateUnknownError } from "../owner/states";
import { at } from "../path";
import type { Resource } from "../resource";
import type { Run } from "../run";
import { describe, nothingWithId } from "../telling";
import { hasUnknown, type Properties } from "../value";

const choice = z.union([z.string().min(1), z.strictObject({ name: z.string().min(1) })]);

/** The argument `adopt` of every kind that is not single. Adding or removing it causes no update. */
export const adoptField = setting(
  z
    .unknown()
    .refine((value) => choice.safeParse(value).success, 'must be an id, or a name as in { name: "…" }')
    .optional(),
  "none",
);

/** The object to adopt. Throws when another resource of the stack has it, or another stack that could not see the adoption. */
export async function objectToAdopt(resource: Resource, when?: "now"): Promise<Match | undefined> {
  const { kind, run, inputs } = resource;
  const found = await findAndCompare(resource);
  if (found === undefined) return undefined;
  await run.owners.failIfHad(kind, found.id, inputs, when);
  await failIfOthersHave(resource, found, when);
  return found;
}

/** Finds the object to adopt and compares it. Throws when it cannot be adopted; undefined while `adopt` is unknown. */
async function findAndCompare(resource: Resource): Promise<Match | undefined> {
  const { kind, run, inputs } = resource;
  const api = run.api();
  const { adopt, ...given } = inputs;
  if (hasUnknown(adopt)) return undefined;
  const known = typeof adopt === "string" ? adopt : foundBefore(run, given);
  const id = known ?? (await idOf(kind, api, String(at(adopt, "name")), given.name));
  run.given.set(id, given.__urn);
  const observed = await kind.read(api, id, given);
  if (observed === undefined) {
    const nothing = new AdoptionError(await nothingWithId(kind, api, id), "PODLUMI-ADOPT");
    throw extended(nothing, "Remove adopt to create one");
  }
  if (typeof adopt !== "string") failIfRenamed(resource, { ...observed, id });
  await failIfReadOnly(kind, api, { ...observed, id });
  const match = await matchOf(kind, api, given, { ...observed, id });
  if (match.replaces.length > 0) {
    const value = (name: string) =>
      isHidden(resource, name) ? "different" : shown(kind.fields[name]?.held?.(observed) ?? observed[name]);
    const told = match.replaces.map((name) => `${name} is ${value(name)} there`);
    throw new AdoptionError(
      `the ${kind.noun} ${id} differs in what cannot be changed: ${told.join(", ")}. Write it so in the program, or ${removeAdopt}`,
      "PODLUMI-ADOPT-DIFFERS",
    );
  }
  return match;
}

/**
 * The object that a name means without a look: the one that the resource has by it in the state, though that may have another name since, or
 * the one of which the check of this run has told.
 */
function foundBefore(run: Run, { __urn }: Properties): string | undefined {
  const { adopted, found } = run.notes(__urn);
  return adopted ?? found;
}

/** Fails where an object that was found by its name has another one: a list may lag, and somebody can rename it. */
function failIfRenamed({ kind, run, inputs }: Resource, object: ServiceObject): void {
  const { adopt, name, __urn } = inputs;
  const { adopted, found } = run.notes(__urn);
  const asked = at(adopt, "name");
  // A create that a hook retries may have renamed the one that it has found.
  if (object.id === adopted || object.name === asked || (object.id === found && object.name === name)) return;
  throw new AdoptionError(
    `the ${describe(kind, object)} was found by the name "${String(asked)}", and has another one by now. Run the command again; if ` +
      `it is the one, write adopt: "${object.id}"`,
    "PODLUMI-ADOPT",
  );
}

async function idOf(kind: Kind, api: Api, name: string, newName: unknown): Promise<string> {
  const all = (await kind.list(api)) ?? [];
  const found = all.filter((object) => object.name === name);
  const [one] = found;
  if (found.length === 1 && one !== undefined) return one.id;
  const { noun } = kind;
  // An interrupted adoption may have renamed the object already.
  const renamed = found.length === 0 ? all.find((object) => object.name === newName) : undefined;
  if (renamed !== undefined) {
    throw new AdoptionError(
      `there is no ${noun} "${name}" in this account, but the ${noun} ${renamed.id} has the name that this resource is to get. ` +
        `If it is the one, write adopt: "${renamed.id}"`,
      "PODLUMI-ADOPT",
    );
  }
  throw new AdoptionError(
    found.length === 0
      ? `there is no ${noun} "${name}" in this account${nearestName(name, all) || "."} Remove adopt to create one`
      : `${found.length} ${noun}s are called "${name}": adopt one by its id, ${found.map(({ id }) => id).join(" or ")}`,
    "PODLUMI-ADOPT",
  );
}

export const removeAdopt = "remove adopt to create another one";

function shown(value: unknown): string {
  return value === undefined || value === null ? "not set" : JSON.stringify(value);
}

/**
 * Throws when another stack has the object and could not see that it was adopted: it would still change and delete it. Only
 * another mark shows that, so Pulumi is asked about every object that will not get one.
 */
async function failIfOthersHave(resource: Resource, found: Match, when: "now" | undefined): Promise<void> {
  const { kind, run, inputs } = resource;
  if (willShowOwner(resource, found)) {
    // A create does not say again what the check of the same run has said.
    if (when === undefined) await warnOfFormerOwner(resource, found);
    return;
  }
  const all = await run.owners.otherStacksWith(kind, found.observed, inputs, when).catch((error) => {
    if (!(error instanceof StateUnknownError && inputs.adopt === found.id)) throw error;
    // The user names the very object. Otherwise one stack that cannot be read would prevent every adoption.
    warn(inputs.__urn, continued(error.message, adoptedUnread), error.code);
    return [];
  });
  // An interrupted adoption has replaced the mark already, and each of them sees that.
  const isShown = showsOwner(resource);
  const others = all.filter((one) => !(isShown && hasOtherMark(kind, one.outputs, found.observed)));
  const isInName = found.rewritesMark && kind.mark === undefined;
  if (others.length > 0) throw heldError(kind, found.id, others, isInName ? leaveNameOut : "");
  if (isInName || (found.foreign && !found.rewritesMark))
    warn(inputs.__urn, noMarkWarning(kind, found), "PODLUMI-FOREIGN-MARK");
}

/**
 * Warns where another stack has the object and will see that it was adopted: from then on, a destroy here deletes it. Where Pulumi does
 * not tell, nothing is said.
 */
async function warnOfFormerOwner({ kind, run, inputs }: Resource, found: Match): Promise<void> {
  const others = await stacksThatKeep(kind, run, found.observed, inputs);
  if (others.length === 0) return;
  const next =
    "The adoption takes it from there, and then a destroy here deletes it. To leave it there, remove adopt and read it with `get`; " +
    `otherwise take it out there after the \`up\`, with ${takeOut(others)}`;
  warn(inputs.__urn, heldBy(others, `the ${kind.noun} ${found.id}`, next), "PODLUMI-ADOPT-HELD");
}

/** Whether an adopted object will show its new resource, by a mark that it did not have before. */
function willShowOwner(resource: Resource, found: Match): boolean {
  const { kind, inputs } = resource;
  // An adoption replaces the mark of another resource. What has this one's already, or none, keeps what it has.
  if (!found.rewritesMark) return false;
  // Where stacks share a provider, that of a resource of the same name has the same digits.
  return markDigits(kind, found.observed) !== markToGet(kind, inputs) && showsOwner(resource);
}

/** Whether an object of this resource carries its mark, under the name that it gets. */
function showsOwner(resource: Resource): boolean {
  return willCarry(resource.kind, provisionalName(resource), ownerOf(resource.inputs));
}

const adoptedUnread =
  "The program adopts it by its id all the same: if that stack has it, it still changes and deletes it";

function noMarkWarning({ noun }: Kind, { markedBy, rewritesMark }: Match): string {
  const whose = markedBy === undefined ? "another stack" : `the stack ${markedBy}`;
  const [why, next] = rewritesMark
    ? [
        `under the name that it gets, the ${noun} does not show any more whose it is`,
        "leave name out, or take it out there after this `up` (`pulumi state delete`)",
      ]
    : [
        `the ${noun} keeps the mark of another resource, which the service cannot change`,
        "create another one here instead. `pulumi state delete` there is not enough, since a sweep goes by the mark",
      ];
  return `${why}, and ${whose}, which created it, would still change and delete it. If that stack is in use, ${next}`;
}
