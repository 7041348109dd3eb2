import type { Command } from "commander";
import type { Api } from "../../../provider/client/api";
import { timeOf } from "../../../provider/client/clock";
import { isExpired } from "../../../provider/core/state/expiry";
import { oneOf } from "../../../provider/did-you-mean";
import { type Listed, type ListedKind, listed, listedKinds } from "../kinds";
import { asTable } from "../object-table";
import { tell } from "../output";
import { maybeCopied } from "../states/judge";
import { type Marked, objectsOfStack, type StackObjects, tellOfOthers } from "../states/stack";
import { stacksNow } from "./by-name";
import { mayBeCopy } from "./copies";
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

/** Objects with the prefix, except those of stacks. */
async function meantByName(named: readonly Listed[], { marked }: Options): Promise<Omit<Meant, "complete">> {
  if (marked || named.length === 0) return { wanted: named, kept: [] };
  const whyKept = await stacksNow();
  const kept = named.flatMap((one): Outcome[] => {
    const why = whyKept(one);
    return why === undefined ? [] : [{ ...one, left: `${why}. To delete it all the same, add --marked` }];
  });
  return { wanted: named.filter(({ id }) => !kept.some((one) => one.id === id)), kept };
}

/** The leftovers of a stack, by the marks of the command line, of its state, or of its name. */
async function meantOfStack(
  api: Api,
  stack: string,
  options: Options,
  kinds: readonly ListedKind[],
  command: Command,
): Promise<Meant> {
  const { mark } = options;
  const found = await objectsOfStack(api, stack, kinds, mark);
  tellOfOthers(stack, found);
  if (found.unclear.length + found.maybeCreated.length > 0) process.exitCode = 1;
  const free = found.objects.filter(({ inState }) => inState !== true);
  const isByName = mark === undefined && found.marks.size === 0;
  const marks = mark ?? (isByName ? free.map((one) => one.mark) : [...found.marks]);
  const chosen = free.filter((one) => marks.includes(one.mark ?? ""));
  if (chosen.length > 0) failIfOpen(stack, found, chosen, options, command);
  const others = free.filter((one) => !chosen.includes(one));
  if (others.length > 0)
    tell(`podlumi: keeps what has another mark and the name ${stack}:\n${asTable(others, "whole")}`);
  // Nobody could say which marks are meant, as where the state was gone already.
  if (others.length > 0 && mark?.length === 0) process.exitCode = 1;
  const kept = chosen.flatMap((one) => keptOf(one, options));
  const wanted = chosen.filter(({ id }) => !kept.some((one) => one.id === id));
  if (wanted.length > 0) tellWhy(stack, found, wanted);
  return { wanted, kept, complete: found.complete };
}

/** Fails where only the user can say which marks are meant. A person who is asked sees the objects, and decides. */
function failIfOpen(
  stack: string,
  { called }: StackObjects,
  chosen: readonly Marked[],
  { mark, yes, dryRun }: Options,
  command: Command,
): void {
  const marks = [...new Set(chosen.map((one) => String(one.mark)))];
  const isUnseen = chosen.some(({ inState }) => inState === null);
  const several = Math.max(called.length, isUnseen ? marks.length : 1);
  if (mark !== undefined || (several === 1 && !(isUnseen && yes && !dryRun))) return;
  tell(asTable(chosen, "whole"));
  const open =
    several > 1
      ? `${several} stacks called ${stack} have objects in this account`
      : `no state of ${stack} has this mark, so it may be that of a live stack in another backend`;
  command.error(`error: ${open}: say with --mark which to delete: ${oneOf(marks)} [PODLUMI-WHICH-STACK]`);
}

/** The object, if a doubt keeps it that no flag allows. */
function keptOf(one: Marked, { copies, adopted, read }: Options): Outcome[] {
  const allowed = { "--copies": copies, "--adopted": adopted, "--read": read };
  const { doubts } = one;
  if (doubts.every(({ flag }) => flag !== undefined && allowed[flag])) return [];
  const why = doubts.map((doubt) => doubt.why).join(", and ");
  const isNever = doubts.some(({ flag }) => flag === undefined);
  const flags = doubts.map(({ flag }) => flag).join(" ");
  return [{ ...one, left: isNever ? why : `${why}. To delete it, add ${flags}` }];
}

/** Tells what is known of the objects that are to be deleted. */
function tellWhy(stack: string, { isPending }: StackObjects, wanted: readonly Marked[]): void {
  if (wanted.some(({ inState }) => inState === null)) {
    tell(`podlumi: no state of ${stack} was found with this mark: everything that carries it is meant`);
    return;
  }
  if (isPending)
    tell(
      `podlumi: the state of ${stack} has pending creates. If an \`up\` runs now, it may be creating what follows`,
    );
  tell(
    "podlumi: an interrupted run created what follows, or somebody kept it on purpose (retainOnDelete, deletedWith, `pulumi state delete`)",
  );
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
