import { isDeepStrictEqual } from "node:util";
import type { CheckFailure, CheckResult } from "@pulumi/pulumi/dynamic";
import { discreetAt, hideAt, warn } from "../../engine/log";
import { partsOfUrn } from "../../identity";
import { kindsInput, lookAhead } from "../apply/ahead";
import { type Preflight, preflight } from "../apply/preflight";
import { accountFindings, keyFailures, warnOfUncertain } from "../guard/account";
import { warnOfKept } from "../guard/gone";
import { noteSecretReferences } from "../guard/missing-secrets";
import { catalogWarnings, idsOfSecrets, lineBreaks, oddities, withMistake } from "../guard/mistakes";
import { otherAccountFailures } from "../guard/other-account";
import { mayLoseByRename } from "../guard/renamed";
import { guardDataOfReplaced } from "../guard/replaced";
import { warnIfOthersLoseReplaced } from "../guard/still-used";
import { type Checker, completed, withoutNulls } from "../kind/check";
import type { Kind } from "../kind/definition";
import { checkFailure, type Failure, sentenceOf } from "../kind/failure";
import { type FieldTable, isAlwaysSecret } from "../kind/field";
import { ownerOf } from "../kind/mark";
import { declaredBy, referenceFailures, usesInput, withIdsOfFound } from "../kind/references";
import { secretsInput } from "../kind/secret-outputs";
import { withoutInternals } from "../kind/state";
import { nameToValidate, provisionalName } from "../names/naming";
import { madeFirstInput } from "../names/taken-names";
import type { Checked } from "../owner/notes";
import { at } from "../path";
import type { Resource } from "../resource";
import type { Run } from "../run";
import { isEmpty, isUnknown, type Properties, textsIn, unknownValue } from "../value";

/** A kind with what finds faults in its inputs. */
export type Checkable = Kind & { readonly faults: Checker };

/** One check. Its inputs are what the program gives. */
interface Checking extends Resource {
  readonly kind: Checkable;
  /** The inputs in the state; undefined without any. */
  readonly old: Properties | undefined;
  /** The inputs, with the name that they have before any look at the service. */
  readonly first: Properties;
}

/** Validates the inputs, and fills in names and defaults. Runs the preflight for a resource that has no object yet. */
export async function check(
  kind: Checkable,
  run: Run,
  oldInputs: Properties | undefined,
  {
    [usesInput]: uses,
    [kindsInput]: kinds,
    [secretsInput]: secrets,
    [madeFirstInput]: madeFirst,
    ...given
  }: Properties,
): Promise<CheckResult> {
  const inputs = withoutNulls(kind.fields, withIdsOfFound(run, given, uses));
  const isFirst = !run.did.declare;
  run.did.declare = true;
  run.states.declares(inputs);
  const old = isEmpty(oldInputs) ? undefined : oldInputs;
  const checked = noteInputs(run, inputs, old, { secrets, madeFirst });
  if (old === undefined) await noteReplaced(kind, run, inputs);
  const first =
    old === undefined ? madeUp(inputs, provisionalName({ kind, run, inputs })) : kept(inputs, old);
  const checking = { kind, run, inputs, old, first };
  noteSecrets(checking);

  const faults = await faultsIn(checking);
  const isSound = faults.length === 0;
  if (isFirst && old === undefined && isSound) lookAhead(run, inputs, kinds);
  const [found, unlisted, findings, mismatches, elsewhere] = isSound
    ? await looks(checking, uses)
    : nothingFound;
  const news = found === undefined ? first : (run.adopts(inputs) ? withName : madeUp)(inputs, found.name);
  const refused = warnOfUncertain(inputs.__urn, findings);
  const takesOver = found?.takesOver === true;
  noteName(kind, run, news);
  noteSecretReferences(kind, run, old ?? {}, news);
  const isNew = old === undefined && !takesOver && !run.adopts(inputs);
  checked.declared = declaredBy(kind, old, news, isNew);
  const twice = isSound && isSettledLater(checking) ? run.claims.claim(kind, news) : [];
  if (old === undefined && isSound) await guardNew({ kind, run, inputs: news }, takesOver);
  const failures = [
    ...faults,
    ...twice,
    ...(found?.failures ?? []),
    ...keyFailures(run),
    ...elsewhere,
    // What the service would refuse does not matter for an object that exists already.
    ...(takesOver ? [] : [...refused, ...mismatches]),
  ];
  if (isSound) warnOfOddities(checking);
  if (failures.length === 0) warnOfUnlisted(inputs, unlisted);
  return { inputs: completed(kind.fields, news), failures: failures.map(discreet(inputs)) };
}

/** Looks at service, catalog and account, all at once: none delays another one. */
function looks({ kind, run, inputs, old, first }: Checking, uses: unknown) {
  // As the create will compare it. Only the name is not settled yet.
  const look = () => preflight({ kind, run, inputs: completed(kind.fields, inputs) });
  return Promise.all([
    // No preflight with an object: it may have the new name already, if a run ended before the state learned of it.
    old === undefined ? run.look<Preflight>(kind, look, { name: first.name, failures: [] }) : undefined,
    catalogWarnings(kind, run, old ?? {}, completed(kind.fields, first)),
    accountFindings(kind, run, old, first),
    referenceFailures(kind, run, old ?? {}, first, uses),
    old === undefined ? otherAccountFailures(run, inputs) : [],
  ]);
}

/** What the looks find where there is nothing to look for. */
const nothingFound = [undefined, [], [], [], []] as const;

/** Guards what is lost, also to others, for a resource that the engine checks as new, and notes what may have had another name. */
async function guardNew(resource: Resource, takesOver: boolean): Promise<void> {
  const { kind, run, inputs } = resource;
  await guardDataOfReplaced(resource);
  await warnIfOthersLoseReplaced(resource);
  await warnOfKept(resource);
  // In the first preview of a stack, the owner is unknown, and nothing has had another name.
  const isKnown = !takesOver && ownerOf(inputs) !== undefined;
  if (isKnown && mayLoseByRename(kind))
    run.atEnd.newcomers.push({ kind, inputs: completed(kind.fields, inputs) });
}

function warnOfOddities({ kind, run, inputs, old, first }: Checking): void {
  const before = old ?? {};
  const odd = [
    ...oddities(kind, before, first),
    ...lineBreaks(kind, before, first),
    ...idsOfSecrets(kind, run, first),
  ];
  for (const { property, reason } of odd) warn(inputs.__urn, `${property} ${reason}`, "PODLUMI-ODD");
}

function warnOfUnlisted({ __urn }: Properties, unlisted: readonly Failure[]): void {
  for (const one of unlisted)
    warn(__urn, `${sentenceOf(one)} The service will probably refuse it.`, "PODLUMI-NOT-IN-CATALOG");
}

/** Notes what the engine has said with a check. */
function noteInputs(
  run: Run,
  given: Properties,
  old: Properties | undefined,
  { secrets, madeFirst }: Properties,
): Checked {
  const notes = run.notes(given.__urn);
  // What is replaced is checked once more, without what the comparison has found to be secret.
  notes.secrets = [...new Set([...(notes.secrets ?? []), ...(Array.isArray(secrets) ? secrets : [])])];
  const before = notes.checked;
  const checked: Checked = {
    declared: before?.declared ?? {},
    nameGiven: given.name !== undefined,
    isNew: old === undefined || before?.isNew === true,
    madeFirst: typeof madeFirst === "boolean" ? madeFirst : undefined,
  };
  notes.checked = checked;
  if (old !== undefined) {
    notes.had = { ...notes.had, name: old.name, inputs: old, added: addedId(given, old) };
    // The engine compares it with these inputs again. What it compared before was for something else.
    delete notes.compared;
  }
  return checked;
}

/** The id in `adopt` that these inputs have and the old ones have not. */
function addedId({ adopt }: Properties, old: Properties): string | undefined {
  return typeof adopt === "string" && adopt !== old.adopt ? adopt : undefined;
}

/** What is wrong with inputs without a look at what there is: the configuration, they themselves, and what the program has twice. */
async function faultsIn(checking: Checking): Promise<readonly Failure[]> {
  const { kind, run, inputs, old, first } = checking;
  // What is adopted keeps its name.
  const keepsName = run.adopts(inputs) && "name" in kind.fields;
  const name = keepsName ? unknownValue : nameToValidate(checking);
  const named = old === undefined ? withName(inputs, name) : first;
  const wrong = await withMistake(kind, run, inputs, kind.faults(withoutInternals(named), old));
  const twice = isSettledLater(checking) ? [] : run.claims.claim(kind, first);
  return [...run.faults(), ...wrong.map(withNaming(checking)), ...twice];
}

/** Whether a look at the service settles the name: another resource may have had the first one that podlumi makes up, before a rename. */
function isSettledLater({ kind, inputs, old }: Checking): boolean {
  return "name" in kind.fields && inputs.name === undefined && old === undefined;
}

/**
 * Notes that a resource has an object in the state, where it would adopt one: an option replaces its provider, and the process of the new
 * provider checks it as if it were new. What the user names for a replacement (`--replace`) adopts what it has, so that it stays. It does so,
 * too, where that was interrupted: an object that was to be deleted first stands there as gone, and is not.
 */
async function noteReplaced(kind: Kind, run: Run, inputs: Properties): Promise<void> {
  if (inputs.adopt === undefined) return;
  const object = await run.states.objectOf(inputs);
  if (object === undefined) return;
  const notes = run.notes(inputs.__urn);
  const isReplaced = notes.had !== undefined || object.isGone || object.servedBy !== inputs.__stack;
  const isThere = async () => (await kind.read(run.api(), object.id, inputs)) !== undefined;
  const isAdopted = isDeepStrictEqual(object.inputs.adopt, inputs.adopt);
  // The state does not have an `adopt` that came after the object. What the engine itself retains, it may be replacing all the same.
  const mayBeKept = object.isGone && (isAdopted || !object.isRetained);
  // A name that has come since may be that of another object.
  const isMeant =
    isAdopted || typeof inputs.adopt === "string" || at(inputs.adopt, "name") === object.outputs.name;
  if ((isAdopted && !isReplaced) || (mayBeKept && (await run.look(kind, isThere, false))))
    notes.adopted = isMeant ? object.id : undefined;
  else if (isReplaced) notes.had = { id: object.id, added: addedId(inputs, object.inputs), ...notes.had };
}

/** A failure without what is secret. */
function discreet({ __urn }: Properties): (failure: Failure) => CheckFailure {
  return (failure) => {
    const { property, reason } = checkFailure(failure);
    return { property, reason: discreetAt(__urn, reason) };
  };
}

/**
 * Notes what is secret, so that nothing that is said of the resource has it, nor what is quoted of a container that got it. No text of
 * podlumi repeats what is sensitive anyway, and the variables of a container hide themselves.
 */
function noteSecrets({ kind: { fields }, run, inputs, old = {} }: Checking): void {
  const { secrets = [] } = run.notes(inputs.__urn);
  const textsOf = (names: readonly string[]) =>
    names.flatMap((name) => textsIn([inputs[name], old[name]])).filter((text) => !isUnknown(text));
  const here = secrets.filter((name) => !fields[name]?.shared);
  run.secrets.note(textsOf([...namesOfAlwaysSecret(fields), ...here]));
  hideAt(inputs.__urn, textsOf(here.filter((name) => !fields[name]?.sensitive)));
}

/** Notes that the value to which the variables of containers refer by this name is known. */
function noteName({ fields, valueByName }: Kind, run: Run, { name, ...inputs }: Properties): void {
  const isKnown = namesOfAlwaysSecret(fields).every((one) => !isUnknown(inputs[one] ?? unknownValue));
  if (valueByName && isKnown) run.secrets.noteName(String(name));
}

const namesOfAlwaysSecret = (fields: FieldTable) =>
  Object.keys(fields).filter((name) => isAlwaysSecret(fields[name]));

function withName(given: Properties, name: unknown): Properties {
  return given.name !== undefined || name === undefined ? given : { ...given, name };
}

/** Adds a made-up name and notes it in `__autoname`. If somebody renames the object, that is then drift. */
function madeUp(given: Properties, name: unknown): Properties {
  const inputs = withName(given, name);
  return inputs === given ? given : { ...inputs, __autoname: name };
}

/**
 * Without a name in the program, a resource keeps its name for life. An `adopt` that it ignores is not noted in the state, so that it stays
 * new until a replacement goes by it.
 */
function kept({ adopt, ...given }: Properties, old: Properties): Properties {
  const { name, __autoname } = old;
  const inputs = adopt === undefined || old.adopt === undefined ? given : { ...given, adopt: old.adopt };
  return __autoname === undefined ? withName(inputs, name) : madeUp(inputs, __autoname);
}

/** Explains the failure of a name that the program does not give: `pulumi:autonaming` is disabled, or it is made up of what no name may hold. */
function withNaming({ kind, run, inputs }: Resource): (failure: Failure) => Failure {
  const { mode } = run.naming(kind, inputs.__urn);
  const { name } = partsOfUrn(inputs.__urn);
  const told = (reason: string) =>
    mode === "disabled"
      ? "is required, since pulumi:autonaming is disabled: give it in the program"
      : `${reason}: it is made up of the resource's name ${JSON.stringify(name)}, so give the argument name`;
  return (failure) =>
    inputs.name === undefined && failure.property === "name"
      ? { ...failure, reason: told(failure.reason) }
      : failure;
}
