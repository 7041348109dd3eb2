import { ExpectedError } from "../../client/errors";
import type { Stated } from "../../engine/export";
import { kindOfUrn } from "../../identity";
import { explain } from "../errors";
import type { Kind, Observed } from "../kind/definition";
import type { Failure } from "../kind/failure";
import { ownerOf } from "../kind/mark";
import { accountId } from "../kind/state";
import type { Edit, Existing } from "../resource";
import type { Run } from "../run";
import { title } from "../telling";
import { covers, type Properties } from "../value";

const code = "PODLUMI-OTHER-ACCOUNT";

/**
 * Fails where another provider than the last one serves the resource, and its account does not have the object. The engine would call the
 * resource unchanged, and a destroy would leave the object in the former account.
 */
export async function failIfInOtherAccount({ kind, run, id, state, inputs }: Edit): Promise<void> {
  const { __stack: former } = state;
  if (!run.notes(inputs.__urn).checked || former === undefined || former === inputs.__stack) return;
  // An earlier run may have changed the provider, and left the object as it was.
  if ((await run.states.objectWith(id))?.servedBy === inputs.__stack) return;
  const found = await run.look(kind, async () => {
    const object = await kind.read(run.api(), id, state);
    // What another account shares can be read here, too.
    const isShared = object && (await kind.readOnly?.(run.api(), { ...object, id })) !== undefined;
    return !isShared && isThere(kind, state, object);
  });
  // A later run would not ask again. Where the machine does not show the command, this may be an update.
  if (found ?? run.command.isUpdate === false) return;
  const what = `cannot change the provider of ${title(kind, state)} (${id})`;
  const error = new ExpectedError(found === undefined ? unasked : inOtherAccount, code);
  throw explain(error, what, kind.fields, inputs);
}

/** Whether an account has the object of a state. What each account has once is told by what it holds. */
function isThere({ single, fields }: Kind, state: Properties, found: Observed | undefined): boolean {
  if (found === undefined || !single) return found !== undefined;
  return Object.keys(fields).every((name) => covers(found[name], state[name]));
}

/**
 * Fails where the account does not have what is to be deleted, and another provider serves it than the one under which podlumi last created or
 * changed it, as with the program of a destroy, or by a transformation. It would leave the state, and stay in the account of that one.
 */
export async function failIfLeftInOtherAccount(existing: Existing): Promise<void> {
  if (await isUnderOther(existing)) throw new ExpectedError(leftInOtherAccount, code);
}

/** Whether another provider serves an object than the one under which podlumi last created or changed it. */
async function isUnderOther({ run, id, state }: Existing): Promise<boolean> {
  if (state.__stack === undefined) return false;
  const object = await run.states.objectWith(id, "now");
  const { __stack: former } = object?.outputs ?? {};
  return object?.servedBy !== undefined && former !== undefined && former !== object.servedBy;
}

/**
 * Fails where a refresh does not find an object, and may have asked another account: with the program, it asks the provider that this gives by
 * now. So does a provider that a failed destroy has left in the state, and of what podlumi does not know the account, nothing else tells that. The
 * object would leave the state, and another one be created.
 */
export async function failIfAskedElsewhere(existing: Existing): Promise<void> {
  const { run, state } = existing;
  if (run.command.runsProgram) {
    const { serving = 0 } = (await run.states.now()) ?? {};
    if (serving > 1) throw new ExpectedError(askedElsewhere, code);
  }
  const mayBeLeft = state[accountId] === undefined && (await isUnderOther(existing));
  if (mayBeLeft) throw new ExpectedError(mayBeInOtherAccount, code);
}

/**
 * Fails where the account does not have an object, and is another one than that in which podlumi created it, or others under its provider:
 * it would leave the state, and stay there.
 */
export async function failIfKeyOfAnother({ run, id, state }: Existing): Promise<void> {
  const reason = await keyOfAnother(run, state, id);
  if (reason !== undefined) throw new ExpectedError(reason, code);
}

/**
 * Fails where what each account has once differs from the state, or is to be changed, and the account is another one: that of the state is not
 * there, and the one that is there is others'.
 */
export async function failIfOthersOwn(existing: Existing, found?: Observed): Promise<void> {
  const { kind, state } = existing;
  if (!kind.single || (found !== undefined && isThere(kind, state, found))) return;
  await failIfKeyOfAnother(existing);
}

/** The failure of what would be created in another account than that of its stack, whose state would then have objects of both. */
export async function otherAccountFailures(run: Run, inputs: Properties): Promise<Failure[]> {
  if (ownerOf(inputs) === undefined) return [];
  // Asked for at once: the create needs both.
  void run.account();
  const reason = await run.patienceForAccount.inTime(keyOfAnother(run, inputs));
  return reason === undefined ? [] : [{ property: "", reason, code }];
}

/**
 * Why the key is not that of the account in which podlumi created an object, or others under its provider; undefined where it may be. Members
 * of an organization have ids of their own, and the same objects: those show.
 */
async function keyOfAnother(run: Run, whose: Properties, id?: string): Promise<string | undefined> {
  const all = (await run.states.ownIfTold())?.objects ?? [];
  const servedBy = all.find((one) => one.id === id)?.servedBy ?? whose.__stack;
  const objects = all.filter((one) => one.servedBy === servedBy && !one.isGone);
  const madeIn = ({ outputs }: Stated) => outputs[accountId];
  const accountsOf = (some: readonly Stated[]): Set<unknown> =>
    new Set(some.map(madeIn).filter((one) => one !== undefined));
  // A destroy whose program gives an object a provider of another account fails, and the state has that provider then.
  const own = objects.filter(({ outputs }) => outputs.__stack === servedBy);
  const former = whose[accountId] === undefined ? accountsOf(own) : new Set<unknown>([whose[accountId]]);
  const present = former.size === 0 ? undefined : await run.account();
  if (present === undefined || former.has(present)) return undefined;
  // What this account has of the stack itself, or may have, does not tell that it shows what is in the former one.
  const telling = objects.filter((one) => madeIn(one) !== undefined && madeIn(one) !== present);
  const kinds = run.kinds.filter(({ single }) => !single);
  const lists = kinds.map(async (kind) => kind.list(run.api(), Number.POSITIVE_INFINITY));
  if (await run.lists.haveShown(new Set(telling.map((one) => one.id)), lists)) return undefined;
  const failed = await Promise.all(lists.map((list) => list.then(() => false).catch(() => true)));
  const had = new Set(telling.map(({ urn }) => kindOfUrn(urn)));
  const unlisted = kinds.filter(({ type }, index) => failed[index] && had.has(type));
  const accounts = [present, [...former].join(", ")] as const;
  return unlisted.length > 0 ? notListed(unlisted, ...accounts) : noneShown(...accounts);
}

const notListed = (kinds: readonly Kind[], present: string, former: string) =>
  `the API key is of the account ${present}, and podlumi could not list the ${kinds.map(({ noun }) => `${noun}s`).join(", ")} there: nothing ` +
  `shows whether it has what podlumi created for this stack in the account ${former}. Use a key that may list them`;

const noneShown = (present: string, former: string) =>
  `the API key is of the account ${present}, which shows nothing of what podlumi created for this stack in the account ${former}. Set the ` +
  "key of that one again. If somebody has deleted all of that, `pulumi state delete` takes it out of the state";

const askedElsewhere =
  "the account does not have it. With --run-program, that may be the account of another provider than the one in the state: run " +
  "`pulumi refresh --run-program=false`, which asks the one in the state";

const unasked = "podlumi could not find out whether the account of the new one has it. Run the command again";

const inOtherAccount =
  "the account of the new one does not have it, and nobody would delete it in the account of the former one. Give it the former provider " +
  "again; to have one in the other account, declare that under another logical name. If somebody has deleted it, run `pulumi refresh`";

const leftInOtherAccount =
  "the account of its provider does not have it, and it was created under another provider. Give it that one in the program, and run " +
  "`pulumi up` before this again. If somebody has deleted it, run `pulumi refresh`";

const mayBeInOtherAccount =
  "the account of its provider does not have it, and it was created under another provider, whose account podlumi does not know. Give it that " +
  "one in the program, and run `pulumi up` before this again. If somebody has deleted it, `pulumi state delete` takes it out of the state";
