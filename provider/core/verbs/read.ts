import { isDeepStrictEqual } from "node:util";
import type { ReadResult } from "@pulumi/pulumi/dynamic";
import { isWrongKey } from "../../client/allowance";
import { ExpectedError, extended } from "../../client/errors";
import { log, warn } from "../../engine/log";
import { startLists } from "../apply/ahead";
import { tellCopiedDrift } from "../compare/copied";
import { explain } from "../errors";
import { failIfAskedElsewhere, failIfKeyOfAnother, failIfOthersOwn } from "../guard/other-account";
import { failIfReadOnly } from "../guard/read-only";
import { guardDataOfFormer } from "../guard/replaced";
import { completed } from "../kind/check";
import { isDeclared } from "../kind/declared";
import type { Kind, Observed } from "../kind/definition";
import { argumentsOf, readWhole, withWritten } from "../kind/import";
import { type Mark, ownerOf } from "../kind/mark";
import { ownerDigits } from "../kind/ownership";
import { holdsSecret } from "../kind/secret-value";
import {
  accountId,
  inputsOf,
  internalInputsOf,
  internalsOf,
  ofEmulator,
  stateOf,
  stateOfFound,
  unready,
  visibleInputs,
  withWrittenDefaults,
} from "../kind/state";
import { inputsBeforeRead, unsettledAfterRead } from "../kind/unsettled";
import { heldBy, takeOut } from "../owner/held-elsewhere";
import type { OtherStack } from "../owner/owners";
import type { Existing } from "../resource";
import type { Run } from "../run";
import { describe, explaining, nothingWithId, title } from "../telling";
import { defined, filtered, type Properties } from "../value";
import { untilShown } from "../wait";

/**
 * Milliseconds that a response may be old. A refresh accepts any response of this run, so one list serves all resources of
 * a kind.
 */
const age = { ofRefresh: Number.POSITIVE_INFINITY, ofLookup: 5_000 };

/**
 * Reads an object: for a refresh, or for a program that reads an object without declaring it. `ofEngine` has the inputs in the state,
 * where the engine tells them.
 */
export function read(existing: Existing, ofEngine?: Properties): Promise<ReadResult> {
  return isDeclared(existing.state) ? refresh(existing, ofEngine) : readFound(existing);
}

/** Reads an object that the program only reads (`get`). */
async function readFound(existing: Existing): Promise<ReadResult> {
  const { kind, run, id, state: props } = existing;
  run.readers.set(id, props.__urn);
  const isRefresh = isReadAgain(props);
  const observed = await present(existing, age.ofLookup, isRefresh);
  await guardDataOfFormer(kind, run, id, props);
  if (observed !== undefined) return { id, props: stateOfFound(kind.fields, observed) };
  if (!isRefresh) {
    const error = extended(await nothingThere(kind, run, id), unread);
    throw explain(error, undefined, kind.fields, props);
  }
  log(props.__urn, readGoneNote(kind, id, props));
  return {};
}

/** Reads an object that the program declares. */
async function refresh(existing: Existing, ofEngine: Properties | undefined): Promise<ReadResult> {
  const { kind, run, id, state: props } = existing;
  startLists(run, kind, props);
  const observed = await present(existing, age.ofRefresh, true);
  run.owners.note(id, props);
  if (observed === undefined) {
    run.atEnd.refreshed.gone += 1;
    log(props.__urn, goneNote(kind, id, props));
    // An empty result tells the engine that the object is gone.
    return {};
  }
  const isReady = kind.isReady?.(observed) === true;
  const kept = internalsOf({
    ...props,
    ...(isReady && { [unready]: undefined }),
    ...unsettledAfterRead(run, kind.fields, props),
  });
  const asked = inputsBeforeRead(kind.fields, props);
  const state = { ...stateOf(kind.fields, observed, asked, props), ...kept };
  tellCopiedDrift(kind, props, state);
  const known = ofEngine ?? (await inputsInState(run, id, props, state));
  const inputs = withWrittenDefaults(kind.fields, state, inputsOf(state), known);
  return { id, props: state, inputs: { ...inputs, ...internalInputsOf(props) } };
}

/** The object as it is, at most `oldest` milliseconds ago; undefined where the service does not have it. */
function present(existing: Existing, oldest: number, isRefresh: boolean): Promise<Observed | undefined> {
  const { kind, run, id, state: props } = existing;
  return explaining(`could not read ${title(kind, props)} (${id})`, kind, props, async () => {
    const found = await kind
      .read(run.api(), id, props, { age: oldest })
      .catch((error) => failOnce(run, error));
    const shown =
      found ?? (await untilShown(run, await stateOfMaker(existing), () => kind.read(run.api(), id, props)));
    if (shown !== undefined && isRefresh) await failIfOthersOwn(existing, shown);
    if (shown === undefined && isRefresh) {
      await failIfAskedElsewhere(existing);
      await failIfKeyOfAnother(existing);
    }
    return shown;
  });
}

/** The state that tells when an object was created. Of what a program only reads, it is that of the resource that has it, in any stack. */
async function stateOfMaker({ run, id, state }: Existing): Promise<Properties> {
  return isDeclared(state) ? state : ((await run.states.anywhere(id))?.outputs ?? {});
}

/**
 * Whether a refresh reads an object again that the program only reads: it passes the outputs in the state. A program tells nothing but the
 * id.
 */
export function isReadAgain(props: Properties): boolean {
  return !isDeclared(props) && Object.keys(props).some((name) => !name.startsWith("__"));
}

/**
 * The inputs in the state, without those that are encrypted there. Pulumi's host of dynamic providers does not tell them. They matter
 * only where the refresh shows something.
 */
async function inputsInState(run: Run, id: string, props: Properties, now: Properties): Promise<Properties> {
  if (isDeepStrictEqual(inputsOf(props), inputsOf(now))) return {};
  const { inputs = {} } = (await run.states.objectWith(id)) ?? {};
  return filtered(inputs, (_name, value) => !holdsSecret(value));
}

/** A refresh continues after an error. So only the first resource tells the whole of what each of them would. */
function failOnce(run: Run, error: unknown): never {
  if (!isWrongKey(error)) throw error;
  const [first, code] = [run.wrongKey === undefined, error.code];
  run.wrongKey ??= error;
  throw first ? error : new ExpectedError("the service refuses the API key, as for another resource", code);
}

async function nothingThere(kind: Kind, run: Run, id: string): Promise<ExpectedError> {
  const text = await nothingWithId(kind, run.api(), id, age.ofLookup);
  return new ExpectedError(text, "PODLUMI-NOT-FOUND");
}

/** The arguments that would declare an object that was only read. */
export function argumentsOfFound(kind: Kind, run: Run, id: string, observed: Observed): Promise<Properties> {
  return explaining(`could not read ${kind.noun} ${id}`, kind, {}, async () =>
    argumentsOf(kind, await withWritten(kind, run.api(), id, observed)),
  );
}

/**
 * Reads an object with everything that a program could declare of it, for `pulumi import` and for `get` of the plugin.
 * What the service never returns counts as equal to what the program says later.
 */
export async function imported(kind: Kind, run: Run, id: string, whose: Properties): Promise<ReadResult> {
  run.states.meets(whose);
  run.given.set(id, whose.__urn);
  const found = await explaining(`could not import ${kind.noun} ${id}`, kind, {}, async () => {
    await run.owners.failIfHad(kind, id, whose);
    const whole = await readWhole(kind, run.api(), id);
    if (whole === undefined) throw await nothingThere(kind, run, id);
    await failIfReadOnly(kind, run.api(), { ...whole.observed, id });
    const others = await run.owners.otherStacksWith(kind, { id, name: whole.object.name }, whose, "now");
    if (others.length > 0)
      throw new ExpectedError(importedTwice(others, id, whole.mark !== undefined), "PODLUMI-IMPORTED-TWICE");
    run.owners.claim(kind, id, whose);
    return whole;
  });
  const { object, observed, mark } = found;
  await guardDataOfFormer(kind, run, id, whose);
  if (mark !== undefined && mark.digits.stack !== ownerOf(whose)?.digits.stack)
    warn(whose.__urn, foreignMarkWarning(kind, id, mark), "PODLUMI-FOREIGN-MARK");
  const inputs = argumentsOf(kind, object);
  // As a check would leave them: with these, later comparisons are made. The program is written in the other shape.
  const asked = completed(kind.fields, inputs);
  const internals = internalsOf({
    ...whose,
    __mark: ownerDigits(mark),
    [accountId]: await run.account(),
    __asked: kind.dataHeld && visibleInputs(kind.fields, asked),
    [ofEmulator]: run.isEmulated || undefined,
  });
  const state = stateOf(kind.fields, { ...observed, ...defined(object) }, asked);
  return { id, props: { ...state, ...internals, __imported: true }, inputs };
}

function importedTwice(others: readonly OtherStack[], id: string, isMarked: boolean): string {
  // A mark stays when the object leaves the state. Without one, that stack would not see an adoption.
  const next = isMarked
    ? `Write adopt: "${id}" instead of the import: it replaces the mark, after which that stack lets go of it`
    : `Take it out there first, with ${takeOut(others)}`;
  return heldBy(others, "it", next);
}

function foreignMarkWarning({ noun }: Kind, id: string, { readable }: Mark): string {
  const whose = readable === undefined ? "another resource" : `${readable.resource} of ${readable.stack}`;
  return (
    `the ${noun} carries the mark of ${whose}. If a stack of another backend has it, its destroy deletes it, and so does its ` +
    `sweep after \`pulumi state delete\`, since the mark stays. Write adopt: "${id}" instead of the import: that replaces the mark. ` +
    "Only then take it out there"
  );
}

const unread = "Give the id of another one, or take the `get` out of the program";

const readGoneNote = (kind: Kind, id: string, props: Properties) =>
  `${goneNote(kind, id, props)}: the next \`pulumi up\` fails while the program reads it (\`get\`)`;

function goneNote(kind: Kind, id: string, { name }: Properties): string {
  return `the ${describe(kind, { id, name })} is not in this account any more, so it leaves the state`;
}
