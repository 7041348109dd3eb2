import type { Command } from "commander";
import type { Api } from "../../../provider/client/api";
import { timeOf } from "../../../provider/client/clock";
import { isExpired, mayBeCopy } from "../../../provider/core/kind/expiry";
import { type Doubt, inWords } from "../../../provider/core/owner/doubts";
import { oneOf } from "../../../provider/did-you-mean";
import { type Listed, type ListedKind, listed, listedKinds } from "../kinds";
import { asTable } from "../object-table";
import { tell } from "../output";
import { type Found, type Marked, objectsOfStacks, type StackObjects, tellOfOthers } from "../stack";
import { stacksNow } from "./by-name";
import { type Options, type Outcome, runs } from "./options";

/** The objects to delete, and those to keep because something about them is not certain. */
export async function search(api: Api, options: Options, command: Command) {
  const { olderThan, kind = [] } = options;
  const kinds = listedKinds.filter((one) => kind.length === 0 || kind.includes(one));
  const { wanted, kept, complete } = await meant(api, options, kinds, command);
  if (olderThan === undefined) return { found: wanted, kept, complete };
  const limit = api.now() - olderThan;
  const made = ({ createdAt }: Listed) => timeOf(createdAt ?? "");
  const left = "the service does not return its age";
  return {
    found: wanted.filter((one) => made(one) < limit),
    kept: [
      ...kept,
      ...wanted.filter((one) => Number.isNaN(made(one))).map((one): Outcome => ({ ...one, left })),
    ],
    complete,
  };
}

/** What a command line selects. */
interface Meant {
  readonly wanted: readonly Listed[];
  readonly kept: readonly Outcome[];
  readonly complete: boolean;
}

/** The objects that the command line selects, by a prefix, by a stack, or by their time limits. */
async function meant(
  api: Api,
  options: Options,
  kinds: readonly ListedKind[],
  command: Command,
): Promise<Meant> {
  const { prefix, stack, expired } = options;
  if (expired) return overdue(api, kinds);
  if (stack === undefined) {
    const { all, complete } = await listed(api, kinds);
    const named = all.filter(({ name }) => name.startsWith(prefix ?? ""));
    return { ...(await meantByName(named, options)), complete };
  }
  return meantOfStack(api, stack, options, kinds, command);
}

/** What has the prefix, without what stacks have to do with. */
async function meantByName(named: readonly Listed[], { marked }: Options): Promise<Omit<Meant, "complete">> {
  if (marked || named.length === 0) return { wanted: named, kept: [] };
  const whyKept = await stacksNow();
  const kept = named.flatMap((one): Outcome[] => {
    const why = whyKept(one);
    return why === undefined ? [] : [{ ...one, left: `${why}. To delete it all the same, add --marked` }];
  });
  return { wanted: named.filter(({ id }) => !kept.some((one) => one.id === id)), kept };
}

/** The objects of one stack. What another stack of the name may have created is not meant. */
async function meantOfStack(
  api: Api,
  stack: string,
  options: Options,
  kinds: readonly ListedKind[],
  command: Command,
): Promise<Meant> {
  const { mark } = options;
  // An object of any kind may show that the state is an old copy.
  const found = ofKinds(kinds, await objectsOfStacks(api, stack, listedKinds));
  tellOfOthers(stack, found);
  const { stacks, unclear, maybeCreated, complete } = found;
  if (unclear.length + maybeCreated.length > 0) process.exitCode = 1;
  const chosen = stacks.filter(
    (one) => mark === undefined || one.marks.some((digits) => mark.includes(digits)),
  );
  const others = stacks.filter((one) => !chosen.includes(one));
  failIfOpen(stack, chosen, options, command);
  tellOfUnchosen(stack, others, mark);
  const stray = chosen.flatMap((one) => one.objects).filter(({ inState }) => inState !== true);
  const kept = stray.flatMap((one) => keptOf(one, options));
  const wanted = stray.filter(({ id }) => !kept.some((one) => one.id === id));
  tellWhy(stack, chosen, wanted);
  return { wanted, kept, complete };
}

/** Fails where only the user can say which stack of the name is meant. */
function failIfOpen(
  stack: string,
  chosen: readonly StackObjects[],
  options: Options,
  command: Command,
): void {
  const open = options.mark === undefined ? whyOpen(stack, chosen, options) : undefined;
  if (open === undefined) return;
  const objects = chosen.flatMap((one) => one.objects);
  tell(asTable(objects, "whole"));
  const marks = oneOf(chosen.flatMap((one) => one.marks));
  command.error(`error: ${open}: say with --mark whose are to be deleted, ${marks} [PODLUMI-WHICH-STACK]`);
}

/** Tells what other stacks of the name have left. */
function tellOfUnchosen(stack: string, others: readonly StackObjects[], mark: Options["mark"]): void {
  const unchosen = others.flatMap((one) => one.objects).filter(({ inState }) => inState !== true);
  if (unchosen.length === 0) return;
  tell(`podlumi: keeps what has another mark and the name ${stack}:\n${asTable(unchosen, "whole")}`);
  // Nobody could say which marks are meant, as where the state was gone already.
  if (mark?.length === 0) process.exitCode = 1;
}

/** What stays, since it is doubtful that the stack created it, and no flag allows that. */
function keptOf(one: Marked, options: Options): Outcome[] {
  const { why, flags } = inWords(one.doubts);
  if (one.doubts.every(({ flag }) => allows(options, flag))) return [];
  return [{ ...one, left: flags === undefined ? why : `${why}. To delete it, add${flags}` }];
}

function ofKinds(kinds: readonly ListedKind[], { stacks, unclear, maybeCreated, ...found }: Found): Found {
  const isMeant = ({ kind }: Listed) => kinds.includes(kind);
  const meant = stacks.map((one) => ({ ...one, objects: one.objects.filter(isMeant) }));
  return {
    ...found,
    stacks: meant.filter(({ objects }) => objects.length > 0),
    unclear: unclear.filter(isMeant),
    maybeCreated: maybeCreated.filter(({ one }) => isMeant(one)),
  };
}

/** Tells what is known of the objects that are to be deleted. */
function tellWhy(stack: string, chosen: readonly StackObjects[], wanted: readonly Marked[]): void {
  if (wanted.some(({ inState }) => inState === null)) {
    tell(`podlumi: no state of ${stack} was found with this mark: everything that carries it is meant`);
  } else if (wanted.length > 0) {
    if (chosen.some(({ pending }) => pending))
      tell(
        `podlumi: the state of ${stack} has pending creates. If an \`up\` runs now, it may be creating what follows`,
      );
    tell(
      "podlumi: an interrupted run created what follows, or somebody kept it on purpose (retainOnDelete, deletedWith, `pulumi state delete`)",
    );
  }
}

/** Whether the flag that a doubt needs is given. */
function allows({ copies, adopted, read, newer }: Options, flag: Doubt["flag"]): boolean {
  const given = { "--copies": copies, "--adopted": adopted, "--read": read, "--newer": newer };
  return flag !== undefined && given[flag] === true;
}

/** Why it is open whose objects these are; undefined when it is not. A person who is asked sees them, and decides. */
function whyOpen(
  stack: string,
  stacks: readonly StackObjects[],
  { yes, dryRun }: Options,
): string | undefined {
  if (stacks.length > 1) return `${stacks.length} stacks called ${stack} have objects in this account`;
  const [one] = stacks;
  if (one?.objects.every(({ inState }) => inState !== null) ?? true) return undefined;
  const otherNames = one?.names.filter((name) => name !== stack) ?? [];
  if (otherNames.length > 0) return `the stack ${stack} was also called ${otherNames.join(", ")}`;
  return yes && !dryRun
    ? `no state of ${stack} has this mark, so it may be that of a live stack in another backend`
    : undefined;
}

/** The objects whose time limit is over by the service's clock. */
async function overdue(api: Api, kinds: readonly ListedKind[]) {
  const { all, complete } = await listed(
    api,
    runs.filter((kind) => kinds.includes(kind)),
  );
  const over = all.filter(({ object }) => isExpired(object, api.now()));
  return {
    wanted: over.filter(({ object }) => !mayBeCopy(object)),
    kept: over
      .filter(({ object }) => mayBeCopy(object))
      .map((one): Outcome => ({ ...one, left: maybeCopied })),
    complete,
  };
}

const maybeCopied = "it may be a copy that somebody made, by its age or its name";
