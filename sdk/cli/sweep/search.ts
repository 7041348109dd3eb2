import type { Command } from "commander";
import type { Api } from "../../../provider/client/api";
import { timeOf } from "../../../provider/client/clock";
import { isExpired } from "../../../provider/core/state/expiry";
import { oneOf } from "../../../provider/did-you-mean";
import { type Listed, type ListedKind, listed, listedKinds } from "../kinds";
import { asTable } from "../object-table";
import { tell } from "../output";
import { maybeCopied } from "../states/judge";
import { isAll, type Marked, objectsOfStack, type StackObjects, tellOfOthers } from "../states/stack";
import { stacksNow } from "./by-name";
import { mayBeCopy } from "./copies";
import { type Options, type Outcome, runs } from "./options";

interface Found {
  /** To delete. */
  readonly found: readonly Listed[];
  /** To keep, because something about them is not certain. */
  readonly kept: readonly Outcome[];
  /** Nothing else may be meant. */
  readonly complete: boolean;
}

/** The objects that the command line selects, by a prefix, by a stack, or by their time limits. */
export async function search(api: Api, options: Options, command: Command): Promise<Found> {
  const { prefix = "", stack, expired, kind = [] } = options;
  const kinds = listedKinds.filter((one) => kind.length === 0 || kind.includes(one));
  if (expired) return overdue(api, options, kinds);
  if (stack !== undefined) return leftOfStack(api, stack, options, kinds, command);
  const { all, complete } = await listed(api, kinds);
  const { old, kept } = byAge(
    api,
    options,
    all.filter(({ name }) => name.startsWith(prefix)),
  );
  const byName = await withoutStacks(old, options);
  return { found: byName.found, kept: [...byName.kept, ...kept], complete };
}

/** The objects that are old enough, and those of which nobody knows that. */
function byAge<One extends Listed>(api: Api, { olderThan }: Options, all: readonly One[]) {
  if (olderThan === undefined) return { old: all, kept: [] };
  const made = ({ createdAt }: Listed) => timeOf(createdAt ?? "");
  const left = "the service does not return its age";
  return {
    old: all.filter((one) => made(one) < api.now() - olderThan),
    kept: all.filter((one) => Number.isNaN(made(one))).map((one): Outcome => ({ ...one, left })),
  };
}

/** Objects with the prefix, except those of stacks. */
async function withoutStacks(
  named: readonly Listed[],
  { marked }: Options,
): Promise<Omit<Found, "complete">> {
  if (marked || named.length === 0) return { found: named, kept: [] };
  const whyKept = await stacksNow();
  const kept = named.flatMap((one): Outcome[] => {
    const why = whyKept(one);
    return why === undefined ? [] : [{ ...one, left: `${why}. To delete it all the same, add --marked` }];
  });
  return { found: named.filter(({ id }) => !kept.some((one) => one.id === id)), kept };
}

/** The leftovers of a stack, by the marks of the command line, of its state, or of its name. */
async function leftOfStack(
  api: Api,
  stack: string,
  options: Options,
  kinds: readonly ListedKind[],
  command: Command,
): Promise<Found> {
  const { mark } = options;
  const seen = await objectsOfStack(api, stack, kinds, mark);
  tellOfOthers(stack, seen);
  const free = seen.objects.filter(({ inState }) => inState !== true);
  const isByName = mark === undefined && seen.marks.size === 0;
  const marks = mark ?? (isByName ? free.map((one) => one.mark) : [...seen.marks]);
  const isChosen = (one: Marked) => marks.includes(one.mark ?? "");
  const { old: chosen, kept: ageless } = byAge(api, options, free.filter(isChosen));
  if (chosen.length > 0) failIfOpen(stack, seen, chosen, options, command);
  const others = free.filter((one) => !isChosen(one));
  if (others.length > 0)
    tell(`podlumi: keeps what has another mark and the name ${stack}:\n${asTable(others, "whole")}`);
  // Nobody could say which marks are meant, as where the state was gone already.
  const isOpen = others.length > 0 && mark?.length === 0;
  const kept = chosen.flatMap((one) => keptOf(one, options));
  const found = chosen.filter(({ id }) => !kept.some((one) => one.id === id));
  if (found.length > 0) tellWhy(stack, seen, found);
  return { found, kept: [...kept, ...ageless], complete: isAll(seen) && !isOpen };
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
async function overdue(api: Api, options: Options, kinds: readonly ListedKind[]): Promise<Found> {
  const { all, complete } = await listed(
    api,
    runs.filter((kind) => kinds.includes(kind)),
  );
  const over = all.filter(({ object }) => isExpired(object, api.now()));
  const { old, kept } = byAge(api, options, over);
  const copies = old.filter(({ object }) => mayBeCopy(object));
  return {
    found: old.filter((one) => !copies.includes(one)),
    kept: [...copies.map((one): Outcome => ({ ...one, left: maybeCopied })), ...kept],
    complete,
  };
}
