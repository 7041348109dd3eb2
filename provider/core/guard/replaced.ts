import type { State, Stated } from "../../engine/export";
import { warn } from "../../engine/log";
import { kindOfUrn } from "../../identity";
import { mayEqual } from "../compare/may-equal";
import type { Kind } from "../kind/definition";
import { isSameResource } from "../kind/mark";
import { withoutInternals } from "../kind/state";
import { failIfHeldTwice } from "../owner/held-elsewhere";
import type { Notes } from "../owner/notes";
import { StateUnknownError } from "../owner/states";
import type { Edit, Existing, Resource } from "../resource";
import type { Run } from "../run";
import { explaining, title } from "../telling";
import type { Properties } from "../value";
import { explainingReplacement, guardData } from "./data-loss";
import { isLost, unlessGone } from "./gone";

/**
 * Guards the data of what the engine itself decides to replace, when it checks the resource without old inputs. It has not
 * always had podlumi compare it: then the state tells which object it is, and what it holds.
 */
export async function guardDataOfReplaced(resource: Resource): Promise<void> {
  const { kind, run, inputs } = resource;
  const { compared, replaced, had, guarded } = run.notes(inputs.__urn);
  // podlumi itself asks for the replacement, and has looked at the data.
  if (guarded || replaced) return;
  const before = had?.inputs;
  if (compared !== undefined && (before !== undefined || compared.early)) {
    const { id, state, changed, early } = compared;
    const edit = { ...resource, id, state };
    if (early && before === undefined && (await staysOnChanges(run, id)))
      return guardDataOfDeletedFirst(resource);
    return unlessGone(edit, async () => {
      await failIfReplacedIsHeldTwice(edit);
      await guardData(edit, { by: "engine", changed, early });
    });
  }
  if (kind.dataHeld === undefined) return;
  if (before === undefined) return guardDataOfDeletedFirst(resource);
  const objects = objectsWith(before, inputs, (await run.states.ownIfTold())?.objects ?? []);
  for (const object of objects) await failIfStatedIsHeldTwice(resource, object);
  if (objects.length === 0) return mayHoldData(kind, before) ? failAsUnknown(resource) : undefined;
  for (const object of objects) await guardStated(resource, object);
}

/**
 * Fails where the state of another stack has an object that is replaced, too. The deletion would fail for that, but only after another
 * one is created.
 */
export function failIfReplacedIsHeldTwice(edit: Edit): Promise<void> {
  const { kind, run, id } = edit;
  const look = () => run.look(kind, () => run.lists.one(kind, id));
  return explainingReplacement(edit, () => failIfHeldTwice(edit, "delete", look));
}

async function failIfStatedIsHeldTwice(resource: Resource, { id, outputs: state, isGone }: Stated) {
  if (!isGone) await failIfReplacedIsHeldTwice({ ...resource, id, state });
}

/** Whether no change of its inputs replaces an object, by the state: what replaces it then is another option, or the user's word. */
async function staysOnChanges(run: Run, id: string): Promise<boolean> {
  const object = await run.states.objectWith(id);
  return object !== undefined && (object.isTainted || !object.isReplacedOnChanges);
}

/**
 * Some options make the engine delete an object with something else, and only then check the resource, as if it were new. It checks in
 * the same way what the user names for a replacement (`--replace`, a taint), which needs no confirmation.
 */
async function guardDataOfDeletedFirst(resource: Resource): Promise<void> {
  const { kind, run, inputs } = resource;
  if (!(await hasAny(kind, run))) return;
  const object = await run.states.objectOf(inputs);
  if (object !== undefined) await failIfStatedIsHeldTwice(resource, object);
  const why = object && (replacedWith(run, object) ?? replacedProvider(object, inputs));
  if (object !== undefined && why !== undefined) await guardStated(resource, object, why);
}

/**
 * Guards the data of the object that a resource has in the state, when the program gives it another one, to `import` or to read
 * (`get`). The engine then deletes the former object in the end.
 */
export async function guardDataOfFormer(kind: Kind, run: Run, id: string, whose: Properties): Promise<void> {
  // `pulumi do` has no state, and a destroy replaces nothing: to ask for one exports those of all stacks.
  if (kind.dataHeld === undefined || whose.__urn === undefined || run.command.asksForDeletions) return;
  const state = await run.states.ownIfTold();
  // The other face may have had it. Its own classes name the alias for that.
  const formers = state?.objects.filter(({ urn }) => isSameResource(urn, whose.__urn)) ?? [];
  const object = formers.find(({ urn }) => urn === whose.__urn) ?? formers[0];
  if (object === undefined || object.id === id) return;
  // Another provider may have served the former one, and this one's account tells nothing of it.
  const isAlone = (state?.serving ?? 0) <= 1;
  if (isAlone && (await isLost({ kind, run, id: object.id, state: whose }))) return;
  const why = `The program gives this resource another ${kind.noun}, ${id}`;
  const inputs = { name: object.outputs.name, __urn: whose.__urn };
  await guardStated({ kind, run, inputs }, object, why);
}

/** Whether the account may have objects of a kind. Where it has none, there is none to lose. */
async function hasAny(kind: Kind, run: Run): Promise<boolean> {
  const all = await run.look(kind, () => run.lists.snapshot(kind));
  return all?.length !== 0;
}

/**
 * Guards the data of what the engine deletes. What it checked before, podlumi has guarded at the check. What it did not leaves the
 * program, unless an option can make the engine replace it, and delete it first, or another object takes its place.
 */
export async function guardDataOfDeleted(existing: Existing, shown: State | undefined): Promise<void> {
  const { kind, run, id, state } = existing;
  const notes = run.notes(state.__urn);
  if (kind.dataHeld?.(state) === undefined || run.command.asksForDeletions) return;
  const present = run.command.writesOnlyAtEnd ? undefined : shown;
  // The engine tells no alias. What it has imported or read under one shows in the state that it has written since.
  const hasPlace = present?.supplanted.has(id) !== true;
  if (hasPlace && notes.checked) return;
  const why = hasPlace ? replacedUnchecked(run, id, present, notes) : supplanted;
  if (why === undefined || (await isLost(existing))) return;
  if (!run.confirmed(id)) await run.learnConfirmations();
  const because = run.did.declare ? why : `${why}. ${onlyConfigured}`;
  await guardData(
    { ...existing, inputs: state },
    { by: "engine", changed: [], why: because, verb: "delete" },
  );
  if (hasPlace) notes.guarded = true;
}

const unseenFailure =
  "With --continue-on-error, Pulumi also deletes what the program declares, imports or reads once it has another resource, where that has " +
  "failed, which nothing shows here. Without it, it does not";
const supplanted = "Another object, which was imported or read, has its place";
const unknownWhy = ({ command }: Run) =>
  `\`pulumi stack export\` does not show whether it leaves the program or is replaced${command.writesOnlyAtEnd ? ", since PULUMI_SKIP_CHECKPOINTS is set" : ""}`;
const onlyConfigured =
  "The process that deletes it does not know the current arguments of a Provider, so only the stack's configuration can confirm this";

/** Why the engine may replace an object that it has not checked; undefined when the object leaves the program. */
function replacedUnchecked(run: Run, id: string, state: State | undefined, notes: Notes): string | undefined {
  // Nothing else tells a destroy that is not known to be one.
  const { hasProgram } = run;
  if (state === undefined) return hasProgram ? unknownWhy(run) : undefined;
  const object = state.objects.find((one) => one.id === id);
  // The user named it.
  if (object === undefined || object.isTainted) return undefined;
  return replacedBeforeCheck(run, object, notes) ?? (hasProgram ? afterFailure(run, id) : undefined);
}

/** Why what left the program may be declared all the same. Of what the program names otherwise, the deletion tells more. */
function afterFailure({ command, given, readers }: Run, id: string): string | undefined {
  return command.continuesOnError && !given.has(id) && !readers.has(id) ? unseenFailure : undefined;
}

/** Why the engine may delete an object first, to replace it; undefined when it does not. */
function replacedBeforeCheck(run: Run, object: Stated, { compared }: Notes): string | undefined {
  const { isReplacedOnChanges, provider } = object;
  if (isReplacedOnChanges && compared?.early)
    return "Its option replaceOnChanges replaces it with what its inputs come from";
  // What the program declares under a provider that is replaced, the engine checks in another process.
  if (provider?.mayBeReplaced && !run.did.declare)
    return `podlumi cannot tell whether its provider ${provider.urn} is replaced, and everything under it before that`;
  return replacedWith(run, object);
}

/** Why the engine may replace an object because of `replaceWith`; undefined when what it names stays, or the user named the object. */
function replacedWith(run: Run, object: Stated): string | undefined {
  if (object.isTainted) return undefined;
  for (const { urn, isNear } of object.replacedWith) {
    const { checked } = run.notes(urn);
    const named = `Its option replaceWith names ${urn}`;
    if (checked?.isNew) return `${named}, which is replaced`;
    // The engine checks what it replaces before it deletes anything with it.
    if (!checked && !isNear) return `${named}, of which podlumi cannot tell whether it is replaced`;
  }
  return undefined;
}

/** Why an object is replaced that another provider of the same name served; undefined when its provider stays. */
function replacedProvider({ provider, isTainted }: Stated, { __stack }: Properties): string | undefined {
  if (isTainted || provider === undefined || provider.id === __stack) return undefined;
  return `Its provider ${provider.urn} is replaced`;
}

/**
 * The objects of the state that a resource with these old inputs may have. The engine tells neither its id nor, after a rename,
 * the URN that the state has. So of several objects whose inputs are alike, each may be the one.
 */
function objectsWith(before: Properties, inputs: Properties, all: readonly Stated[]): readonly Stated[] {
  const kind = kindOfUrn(inputs.__urn);
  const alike = all.filter(
    ({ urn, inputs: stated }) =>
      kindOfUrn(urn) === kind && mayEqual(withoutInternals(stated), withoutInternals(before)),
  );
  // Without the name of the stack, which may have been another one.
  const urns = [inputs.__urn, before.__urn].map(withoutStack);
  const named = (alike.length > 0 ? alike : all).filter(({ urn }) => urns.includes(withoutStack(urn)));
  return named.length > 0 ? named : alike;
}

function withoutStack(urn: unknown): string {
  return String(urn).split("::").slice(2).join("::");
}

/** Guards the data that an object holds by the state or by old inputs or, where these show none, by the service. */
async function guardStated(resource: Resource, { id, outputs, isGone }: Stated, why?: string): Promise<void> {
  if (isGone) return;
  const { kind, run, inputs } = resource;
  const shown = [outputs, run.notes(inputs.__urn).had?.inputs ?? {}].find(
    (one) => kind.dataHeld?.(one) !== undefined,
  );
  const state = shown ?? (await run.look(kind, () => kind.read(run.api(), id, inputs))) ?? {};
  return guardData({ ...resource, id, state }, { by: "engine", changed: [], why });
}

/** Whether an object may hold data, by its inputs. A template or an adoption can give it storage that they do not show. */
function mayHoldData(kind: Kind, inputs: Properties): boolean {
  return (
    kind.dataHeld?.(inputs) !== undefined || inputs.templateId !== undefined || inputs.adopt !== undefined
  );
}

/** Fails where nothing tells which object is to be replaced, unless the user has confirmed the loss of any. */
function failAsUnknown({ kind, run, inputs }: Resource): Promise<void> {
  return explaining(`will not replace ${title(kind, inputs)}`, kind, inputs, async () => {
    const unknown =
      "`pulumi stack export` does not show which object is replaced, nor what data is lost with it";
    if (run.confirmed("all")) return warn(inputs.__urn, unknown, "PODLUMI-DATA-LOSS");
    throw new StateUnknownError(`${unknown}. Put \`pulumi\` on the PATH, logged in as for this run`);
  });
}
