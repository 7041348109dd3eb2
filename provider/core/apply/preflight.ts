import type { Pending } from "../../engine/export";
import { log, warn } from "../../engine/log";
import { contradiction } from "../compare/contradiction";
import { describeChanges, type Match, ownMark } from "../compare/match";
import { tellRestart } from "../compare/restart";
import { AdoptionError, mayBeMade } from "../errors";
import { foundAmong } from "../guard/gone";
import type { Kind, ServiceObject } from "../kind/definition";
import type { Failure } from "../kind/failure";
import { type Field, isUnseen } from "../kind/field";
import { isSameResource, ownerOf } from "../kind/mark";
import { willCarry } from "../kind/ownership";
import { isHidden } from "../kind/secret-outputs";
import { adoptedName, provisionalName, settledName } from "../names/naming";
import { nameOfThisStack, namesakes, nameTaken, nameToFree } from "../names/taken-names";
import { clash } from "../names/unique";
import { inWords, noState } from "../owner/doubts";
import { type Doubtful, orphansOf, strangeNamesakes } from "../owner/orphans";
import { isFree } from "../owner/owners";
import { isMarked } from "../owner/pending";
import { StateUnknownError } from "../owner/states";
import type { Resource } from "../resource";
import type { Run } from "../run";
import { describe } from "../telling";
import { isEmpty, type Properties, unknownValue } from "../value";
import { objectToAdopt, removeAdopt } from "./adopt";

/** What a look at the service tells about a resource that has no object yet. */
export interface Preflight {
  /** The name that the program gives, or the one that podlumi makes up. */
  readonly name: unknown;
  readonly failures: readonly Failure[];
  /** It gets an object that there is already, so that the service creates nothing. */
  readonly takesOver?: boolean;
}

/** Looks at the service for an object to take over, and for conflicts. Logs what it finds. */
export async function preflight(resource: Resource): Promise<Preflight> {
  const { kind, run, inputs } = resource;
  // Throws where the configuration allows no look.
  run.api();
  if (run.adopts(inputs)) return preflightOfAdoption(resource);
  const orphans = await orphansOf(resource).catch((error) => refusal(resource, error));
  if ("failures" in orphans) return orphans;
  const { match, left } = orphans;
  if (match !== undefined) await announceTakeOver(resource, match);
  run.notes(inputs.__urn).found = match?.id;
  for (const one of left) warn(inputs.__urn, orphanWarning(kind, inputs, one, match), "PODLUMI-ORPHAN");
  const name = await settledName(resource, match?.observed.name);
  const failure = match ? undefined : await conflictWith({ ...resource, inputs: { ...inputs, name } });
  return { name, failures: failure === undefined ? [] : [failure], takesOver: match !== undefined };
}

async function preflightOfAdoption(resource: Resource): Promise<Preflight> {
  const { kind, run, inputs } = resource;
  const provisional = inputs.name ?? unknownValue;
  try {
    const found = await objectToAdopt(resource);
    if (found === undefined) return { name: provisional, failures: [] };
    // A resource that has the object in the state may come later in this run. Its diff then finds this owner.
    run.owners.claim(kind, found.id, inputs);
    run.notes(inputs.__urn).found = found.id;
    const shows = (name: string) => !isHidden(resource, name) && kind.fields[name]?.mayBeSecret !== true;
    const changes = describeChanges(inputs, found, shows);
    announce(kind, inputs, found, `adopts the ${describe(kind, found.observed)} ${changes}`);
    const refused = contradiction(kind, found.state, inputs, found.changes, removeAdopt);
    const failures = refused === undefined ? [] : [refused];
    if (!found.rewritesMark || kind.mark !== undefined)
      return { name: inputs.name ?? found.observed.name, failures };
    // The name carries the mark of another resource, so it has to change.
    if (inputs.name === found.observed.name)
      warn(inputs.__urn, foreignNameWarning(kind, inputs), "PODLUMI-FOREIGN-MARK");
    return { name: inputs.name ?? adoptedName(resource), failures };
  } catch (error) {
    return refusal(resource, error);
  }
}

/** What the create will refuse. The preview says so already. Throws what tells nothing of the create. */
function refusal(resource: Resource, error: unknown): Preflight {
  if (!(error instanceof AdoptionError || error instanceof StateUnknownError)) throw error;
  return {
    name: provisionalName(resource),
    failures: [
      {
        property: resource.run.adopts(resource.inputs) ? "adopt" : "",
        reason: error.message,
        code: error.code,
      },
    ],
  };
}

/** What prevents a create. Warns of what may prevent it. */
async function conflictWith(resource: Resource): Promise<Failure | undefined> {
  const { kind, run, inputs } = resource;
  const { name, __urn } = inputs;
  const all = kind.uniqueName ? await run.lists.snapshot(kind) : undefined;
  const holder = all?.find((object) => clash(kind, object.name, name));
  if (holder !== undefined) {
    const owner = await run.owners.find(holder.id);
    if (owner === undefined) {
      if ((await foundAmong(resource, [holder])).length > 0) return nameTaken(kind, holder);
    } else if (owner === __urn) {
      const failure = await nameToFree(resource, holder);
      if (failure !== undefined) return failure;
    } else {
      const { reason, code } = nameOfThisStack(kind, holder, owner, inputs);
      if (!givesUp(kind, run, owner)) warn(inputs.__urn, reason, code);
    }
  }
  const unsettled = await maybeCreated(resource).catch((error) => refusal(resource, error).failures[0]);
  if (unsettled !== undefined) return unsettled;
  await warnOfNamesakes(resource);
  return kind.conflict?.(run.api(), inputs);
}

/**
 * Warns of what the program may mean a new resource to have, by its name or by the names in a mark. A replacement gets another object on
 * purpose, also one that the engine checks as if it were new.
 */
async function warnOfNamesakes(resource: Resource): Promise<void> {
  const { kind, run, inputs } = resource;
  if (run.notes(inputs.__urn).had !== undefined) return;
  const named = onlyNameTells(kind, inputs) ? await run.owners.notHeldHere(await namesakes(resource)) : [];
  const strange = await strangeNamesakes(resource);
  if (named.length + strange.length === 0 || (await run.states.objectOf(inputs)) !== undefined) return;
  const tell = (text: string) => warn(inputs.__urn, text, "PODLUMI-NAMESAKE");
  for (const one of await foundAmong(resource, named)) tell(namesakeWarning(kind, one));
  for (const one of await foundAmong(resource, strange)) tell(strangeWarning(kind, one));
}

/**
 * The failure where an interrupted run was creating what a name alone tells, and an object of that name is in no state: podlumi neither
 * takes it over nor creates another one on a guess. This resource may have another name by now. A create goes by what there is `now`.
 */
export async function maybeCreated(resource: Resource, when?: "now"): Promise<Failure | undefined> {
  const { kind, run, inputs } = resource;
  if (!onlyNameTells(kind, inputs)) return undefined;
  const { creates } = await run.states.interrupted(kind, inputs);
  const isOwn = (one: Pending) => isSameResource(one.urn, inputs.__urn) && !isMarked(kind, one);
  const list = when === "now" ? () => kind.list(run.api()) : undefined;
  for (const creating of creates) {
    const name = typeof creating.name === "string" ? creating.name : inputs.name;
    if (name !== inputs.name && !isOwn(creating)) continue;
    const named = await namesakes({ ...resource, inputs: { name } }, list);
    const which = ", which an interrupted run may have created";
    const found = await run.owners.freeAmong(kind, named, when, isFree, which);
    if (found.length > 0) return unsettledCreate(kind, inputs, creating, found);
  }
  return undefined;
}

/** The failure where an interrupted create may have created what is found. */
function unsettledCreate(
  kind: Kind,
  inputs: Properties,
  { urn }: Pending,
  found: readonly ServiceObject[],
): Failure {
  const what = isSameResource(urn, inputs.__urn) ? "this resource" : urn;
  const reason =
    `an interrupted run was creating ${what}, and may have created the ${found.map((one) => describe(kind, one)).join(", the ")}. ` +
    `If so, write adopt: "${found[0]?.id}"; if not, run \`pulumi refresh --clear-pending-creates\`, and then this command again`;
  return { property: "name", reason, code: mayBeMade };
}

/** Whether the owner of a name gives it up in place. One that was checked in this run asks for another name by now. */
function givesUp(kind: Kind, run: Run, owner: string): boolean {
  return kind.fields.name?.change === "update" && run.notes(owner).checked !== undefined;
}

/** Whether only the program's own name identifies a new object of its stack, although names need not be unique. `pulumi do` has none. */
function onlyNameTells(kind: Kind, inputs: Properties): boolean {
  const isNamed = "name" in kind.fields && !kind.uniqueName && inputs.__stack !== undefined;
  return isNamed && !willCarry(kind, inputs.name, ownerOf(inputs));
}

/** Logs, once in a run, what a resource takes over. */
export async function announceTakeOver({ kind, run, inputs }: Resource, match: Match): Promise<void> {
  const notes = run.notes(inputs.__urn);
  if (notes.announced === match.id) return;
  notes.announced = match.id;
  const { creates } = await run.states.interrupted(kind, inputs);
  const isPending = creates.some(({ urn }) => urn === inputs.__urn);
  announce(kind, inputs, match, `${takeOverNote(kind, inputs, match)}${isPending ? pendingNote : ""}`);
}

const pendingNote =
  ". Pulumi warns of the pending create in each run until `pulumi refresh --clear-pending-creates`";

/** Says that a resource gets an object, and what the changes of that restart. */
function announce(
  kind: Kind,
  inputs: Properties,
  { state, changes, rewritesMark }: Match,
  note: string,
): void {
  log(inputs.__urn, note);
  const writes = rewritesMark && kind.mark !== undefined ? { [kind.mark]: ownMark } : {};
  tellRestart(kind, state, inputs, changes, writes);
}

/** Says what is taken over, and which fields are assumed to match because the service never returns them. */
function takeOverNote(kind: Kind, inputs: Properties, match: Match): string {
  const isTold = (field: Field) => !isUnseen(field) && !(field.held && isEmpty(field.held(match.observed)));
  const assumed = Object.entries(kind.fields)
    .filter(
      ([name, field]) =>
        field.writeOnly === true && !isTold(field) && inputs[name] !== undefined && !match.changes.has(name),
    )
    .map(([name]) => name);
  const unseen =
    kind.mark === "env" || assumed.length === 0
      ? ""
      : `. The service never returns these, so they are assumed to be as the program says: ${assumed.join(", ")}`;
  // With the name that it keeps, it keeps the mark in it.
  const rewritesMark = match.rewritesMark && kind.mark !== undefined;
  const changes = describeChanges(inputs, { ...match, rewritesMark });
  return (
    `takes over the ${describe(kind, match.observed)} ${changes}: it carries the mark of this resource ` +
    `and is in ${noState}, as an interrupted run or retainOnDelete leaves it${unseen}`
  );
}

function foreignNameWarning(kind: Kind, { name }: Properties): string {
  return (
    `the name "${String(name)}" carries the mark of another resource, whose \`npx podlumi sweep --stack\` would delete ` +
    `this ${kind.noun}: give it another name, or none`
  );
}

function namesakeWarning(kind: Kind, object: ServiceObject): string {
  return (
    `there is a ${describe(kind, object)} already, which no resource of this stack has. To adopt it, write ` +
    `adopt: "${object.id}"; otherwise podlumi creates a second one of this name`
  );
}

function strangeWarning(kind: Kind, object: ServiceObject): string {
  return (
    `there is a ${describe(kind, object)} already, with the names of this stack and this resource in a mark that it does not know: of a stack ` +
    "of this name in another backend, or of a provider that has left this one, as after `pulumi state delete --all`. podlumi creates another " +
    `one. To have it instead, if no other stack does, write adopt: "${object.id}"`
  );
}

function orphanWarning(
  kind: Kind,
  inputs: Properties,
  { object, doubts }: Doubtful,
  match: Match | undefined,
): string {
  const stack = ownerOf(inputs)?.readable.stack;
  const { why: doubt, flags } = inWords(doubts);
  const why =
    doubts.length > 0
      ? `But ${doubt}, and is taken over only with adopt: "${object.id}".`
      : match === undefined
        ? "It cannot be changed into what the program says, so podlumi creates another one."
        : `The resource takes over the ${describe(kind, match.observed)}, and this one stays.`;
  const sweep =
    flags === undefined
      ? ""
      : ` \`npx podlumi sweep --stack ${stack}${flags}\` deletes what is in none, after asking`;
  return `the ${describe(kind, object)} carries the mark of this resource and is in ${noState}. ${why}${sweep}`;
}
