import { isDeepStrictEqual } from "node:util";
import type { DiffResult } from "@pulumi/pulumi/dynamic";
import { ExpectedError, undefinedIfExpected } from "../../client/errors";
import { confirmDataLoss } from "../../config";
import { log, logOnce, warn } from "../../engine/log";
import { isUnready } from "../apply/readiness";
import { resetFields } from "../apply/reset";
import { contradiction } from "../compare/contradiction";
import { tellCopied } from "../compare/copied";
import { differences, redeclared, replacing } from "../compare/diff";
import { presentOf, tellRestart } from "../compare/restart";
import { seenOfUnsettled } from "../compare/seen";
import { gone } from "../errors";
import { guardData } from "../guard/data-loss";
import { foundAmong, unlessGone, warnIfLost } from "../guard/gone";
import { noteOrigin } from "../guard/origin";
import { failIfInOtherAccount, failIfOthersOwn } from "../guard/other-account";
import { failIfReplacedIsHeldTwice } from "../guard/replaced";
import { warnIfOthersLose } from "../guard/still-used";
import type { Kind } from "../kind/definition";
import { failIfExpired } from "../kind/expiry";
import type { Failure } from "../kind/failure";
import type { Differences } from "../kind/field";
import { inputsOf } from "../kind/state";
import { provisionalName } from "../names/naming";
import { nameTaken, nameToSwap, swapsNames } from "../names/taken-names";
import { clash } from "../names/unique";
import { anotherOwnerError, objectOfAnother } from "../owner/another-owner";
import { failIfHeld, failIfHeldTwice } from "../owner/held-elsewhere";
import { tellOfTwins } from "../owner/tell-twins";
import type { Edit } from "../resource";
import { explaining, title } from "../telling";
import { hasUnknown, type Properties } from "../value";

/** What differs between the state and the program. */
export interface Difference extends DiffResult {
  /** The fields that differ. */
  readonly fields: Differences;
}

/** What differs between the two. */
interface Comparison extends Edit {
  /** The fields that differ. */
  readonly fields: Differences;
}

/**
 * Compares the state with the program: what differs, and what that needs. Throws when the object belongs to another resource,
 * its time is over, or a replacement would lose data.
 */
export async function diff(given: Edit): Promise<Difference> {
  const { kind, run, id, state } = given;
  const inputs = await withPresentUrn(given);
  const edit = { ...given, inputs };
  const context = { state, inputs, api: () => run.api() };
  // Works without an API key, as long as no field needs the service for the comparison.
  const what = `cannot compare ${title(kind, inputs)} (${id})`;
  const { found, seen, open } = await explaining(what, kind, inputs, async () => {
    run.owners.claim(kind, id, inputs, state.__urn);
    return { found: await differences(kind.fields, context), ...(await seenOfUnsettled(edit)) };
  });
  const fields = new Map([...[...open].filter(([, change]) => change === "replace"), ...found]);
  const comparison = { ...edit, fields };
  await unlessGone(edit, () => failIfInOtherAccount(edit));
  await unlessGone(edit, () => failIfOver(comparison));
  const notes = run.notes(inputs.__urn);
  // A refresh and a deletion compare too, but without a check: they wait for nothing and replace nothing.
  const { checked } = notes;
  notes.had = { ...notes.had, id, name: state.name, urn: state.__urn };
  const waits = checked !== undefined && isUnready(kind, state, inputs);
  tellOfValues(comparison);
  const replaces = replacing(fields);
  notes.replaced = checked !== undefined && replaces.length > 0;
  const sent = new Map([...open, ...fields]);
  const again = [...open.keys()].filter((name) => !fields.has(name));
  if (replaces.length > 0) await beforeReplacement({ ...comparison, state: seen }, replaces);
  else await beforeUpdate({ ...comparison, fields: sent }, waits);
  const isDue = await tellOfTwins(comparison);

  const noted = checked ? await redeclared(kind.fields, context, sent) : [];
  if (noted.length > 0 && fields.size === 0) log(inputs.__urn, notedNote(noted));
  if (waits && fields.size === 0) log(inputs.__urn, unreadyNote(kind, id));
  if (again.length > 0) log(inputs.__urn, unsettledNote(again));
  const isOther = sent.size + noted.length > 0 || state.__provider !== inputs.__provider;
  const changes = isOther || isDue || waits;
  return {
    // `undefined` lets the engine compare the inputs. Only then does it show the changes and apply replaceOnChanges.
    changes: !isDue && showsInInputs(comparison) ? undefined : changes,
    replaces,
    fields,
    deleteBeforeReplace: clash(kind, nameOfReplacement(comparison), state.name),
  };
}

/**
 * Inputs with the URN that the object has by now. Without a check, the engine compares those of the state, with unknown values where it may
 * delete the object first. A refresh puts the URN from before a rename there, which another resource may have got since.
 */
async function withPresentUrn({ kind, run, id, inputs }: Edit): Promise<Properties> {
  if (kind.dataHeld === undefined || !hasUnknown(inputs)) return inputs;
  const present = await run.states.ownIfTold();
  const { checked } = run.notes(inputs.__urn);
  const isHad = present?.objects.some((one) => one.urn === inputs.__urn);
  const isRenamed = checked?.isNew === false && !isHad;
  return isRenamed ? inputs : { ...inputs, __urn: run.owners.urnIn(present, id, inputs) };
}

/** Comes before a replacement that podlumi asks for. Fails when it must not be. */
async function beforeReplacement(comparison: Comparison, changed: readonly string[]): Promise<void> {
  const notes = comparison.run.notes(comparison.inputs.__urn);
  delete notes.compared;
  if (notes.checked) {
    await unlessGone(comparison, () => failIfReplacedIsHeldTwice(comparison));
    await warnIfOthersLose(comparison);
    await warnIfLost(comparison);
  }
  await unlessGone(comparison, () => guardData(comparison, { by: "podlumi", changed }));
}

/** Comes before an update in place. Fails when it must not be, and tells what it does. */
async function beforeUpdate(comparison: Comparison, waits: boolean): Promise<void> {
  const { run, id, state, inputs, fields } = comparison;
  const notes = run.notes(inputs.__urn);
  const early = !notes.checked && hasUnknown(inputs);
  notes.compared = { id, state, changed: [...fields.keys()], early };
  if (!notes.checked) return;
  await unlessGone(comparison, () => failIfInadmissible(comparison, waits));
  await tellOfUpdate(comparison);
}

/** Fails when the time limit of the object is over. A refresh and a deletion compare too, but without a check. */
async function failIfOver({ kind, run, id, state, inputs, fields }: Comparison): Promise<void> {
  if (!run.notes(inputs.__urn).checked || !("expiresAfter" in kind.fields)) return;
  await explaining(`will not continue with ${title(kind, inputs)} (${id})`, kind, inputs, () =>
    failIfExpired(state, inputs, fields, run.now(), async () => {
      // Any response tells the service's time. After a sweep, there is nothing left to keep.
      if ((await kind.read(run.api(), id, state)) === undefined)
        throw new ExpectedError(gone, "PODLUMI-GONE");
      return run.now();
    }),
  );
}

/** Fails when an update in place would be refused, or would change what is another's. */
function failIfInadmissible(comparison: Comparison, waits: boolean): Promise<void> {
  const { kind, id, inputs, fields } = comparison;
  return explaining(`will not change ${title(kind, inputs)} (${id})`, kind, inputs, async () => {
    if (fields.size > 0) {
      await failIfOthersOwn(comparison);
      await failIfContradicting(comparison);
    }
    if (fields.size > 0 || waits) await failIfAdopted(comparison);
    noteOrigin(comparison);
    if (!fields.has("name")) return;
    await failIfHeld(comparison);
    await failIfNameTaken(comparison);
  });
}

/** Tells of a confirmation that nothing needs any more, and of containers that keep a former value. */
function tellOfValues({ kind, run, id, inputs, fields }: Comparison): void {
  if (kind.dataHeld && fields.size === 0 && run.confirmed(id))
    warn(inputs.__urn, spentWarning(id), "PODLUMI-DATA-LOSS");
  const isNewValue = [...fields.keys()].some((name) => kind.fields[name]?.writeOnly);
  if (run.notes(inputs.__urn).checked && kind.valueByName && isNewValue)
    logOnce(inputs.__urn, formerValueNote);
}

/** Tells what an update in place does that the fields alone do not show. */
async function tellOfUpdate(comparison: Comparison): Promise<void> {
  const { kind, run, inputs, fields } = comparison;
  if (fields.size > 0) {
    if (await warnIfLost(comparison)) return;
    tellRestart(kind, await presentOf(comparison), inputs, fields);
  }
  tellCopied(kind, run, inputs, fields);
  const reset = await run.look(kind, () => resetFields(comparison, fields), []);
  if (reset.length > 0) log(inputs.__urn, resetNote(reset));
}

/** Fails when what the program changes does not fit to what others have set, where the list tells that also without a refresh. */
async function failIfContradicting(comparison: Comparison): Promise<void> {
  const { kind, state, inputs, fields } = comparison;
  const present = { ...state, ...(await presentOf(comparison)) };
  const changes = new Map([...fields].filter(([name]) => present[name] !== inputs[name]));
  const found = contradiction(kind, present, inputs, changes);
  if (found !== undefined) throw new ExpectedError(`${found.property}: ${found.reason}`, "PODLUMI-INVALID");
}

/** Fails when another resource has the object by now. A replacement leaves it to that one. */
async function failIfAdopted(edit: Edit): Promise<void> {
  const { kind, run, id } = edit;
  const object = await run.look(kind, () => objectOfAnother(edit));
  if (object !== undefined) throw await anotherOwnerError(edit, object);
  await failIfHeldTwice(edit, "change", () => run.look(kind, () => run.lists.one(kind, id)));
}

/** Fails when nobody will give up the unique name that the object is to get. */
async function failIfNameTaken(comparison: Comparison): Promise<void> {
  const { kind, run, id, state, inputs } = comparison;
  if (!kind.uniqueName) return;
  if (inputs.name !== state.name && swapsNames(comparison)) fail(nameToSwap(comparison));
  const all = await run.look(kind, () => run.lists.snapshot(kind));
  const holder = all?.find((object) => object.id !== id && clash(kind, object.name, inputs.name));
  if (holder === undefined) return;
  const strangers = (await run.owners.notHeldHere([holder]).catch(undefinedIfExpected)) ?? [];
  const [stranger] = await run.look(kind, () => foundAmong(comparison, strangers), []);
  if (stranger !== undefined) fail(nameTaken(kind, stranger));
}

function fail({ reason, code }: Required<Failure>): never {
  throw new ExpectedError(reason, code);
}

/** Whether an update in place, or an edit of the program, makes the engine find a change of inputs by itself. */
function showsInInputs({ run, state, inputs, fields }: Comparison): boolean {
  const before = run.notes(inputs.__urn).had?.inputs ?? inputsOf(state);
  const isEdited = [...fields.keys()].some((name) => !isDeepStrictEqual(before[name], inputs[name]));
  return isEdited || (fields.size > 0 && replacing(fields).length === 0);
}

/** The name of a replacement. Where podlumi makes it up, it is a new one. */
function nameOfReplacement({ kind, run, inputs }: Comparison): unknown {
  if (run.notes(inputs.__urn).checked?.nameGiven !== false) return inputs.name;
  return provisionalName({ kind, run, inputs: { ...inputs, name: undefined } });
}

const formerValueNote =
  "running containers keep the former value until they restart: `npx podlumi restart` restarts a pod, and a changed variable in env the " +
  "workers of an endpoint";

const notedNote = (names: readonly string[]) =>
  `only the state changes, to what the program declares (${names.join(", ")}): nothing is sent to the service`;

const unreadyNote = ({ noun }: Kind, id: string) =>
  `the ${noun} ${id} has not become ready since podlumi last changed it: this update waits for it again`;

const unsettledNote = (names: readonly string[]) =>
  `sends ${names.join(", ")} again, as the program says: an earlier update had no clear answer`;

const resetNote = (names: readonly string[]) =>
  `sets ${names.join(", ")} again, as the program says: an interrupted update has reset ${names.length === 1 ? "it" : "them"}`;

const spentWarning = (id: string) =>
  `${confirmDataLoss} has ${id}, which nothing replaces: remove it, or it also confirms a later replacement`;
