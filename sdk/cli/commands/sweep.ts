import { type Command, InvalidArgumentError } from "commander";
import type { Api } from "../../../provider/client/api";
import { type Clock, timeOf } from "../../../provider/client/clock";
import { ExpectedError, errorText } from "../../../provider/client/errors";
import type { Observed } from "../../../provider/core/definition";
import { type Doubt, inWords } from "../../../provider/core/doubts";
import { isExpired, mayBeCopy } from "../../../provider/core/expiry";
import { markDigits } from "../../../provider/core/ownership";
import { oneOf } from "../../../provider/did-you-mean";
import { inLine } from "../../../provider/mask";
import { account } from "../account";
import { duration, kindAmong } from "../arguments";
import { definitionOf, type Listed, type ListedKind, listed, listedKinds } from "../kinds";
import { coloured, counted, mustAgree, print, printJson, tell } from "../output";
import {
  inStateNow,
  objectsOfStacks,
  type StackObjects,
  stackName,
  tellRenamed,
  tellUnclear,
  tellUnknown,
} from "../stack";
import { asTable } from "./ls";

const examples = `
For teardown that must not depend on a state file. It deletes what runs first, then templates,
volumes, credentials and secrets; what the service refuses to delete while something uses it is
tried again for up to 3 minutes.

--stack deletes what carries the mark of a stack and is in no state that this login shows: what
interrupted runs left, and what was kept on purpose (retainOnDelete, \`pulumi state delete\`), which cannot be
told apart, so look before you answer. It asks \`pulumi\` what the states have, and deletes nothing
when that fails. Two stacks of one name (two backends, or one that was made anew) have two marks:
then --mark says which one is meant. Where no state has the mark, as after \`pulumi destroy\`, it may
be that of a live stack in another backend. So --yes then needs --mark: take the marks from
\`podlumi ls --stack ... --marks\` before the destroy. What may be a copy that somebody made is kept
without --copies, what another stack made and this one adopted without --adopted, what a program
reads (get) without --read, and what was made after the state was last written without --newer, since
the state may be an old copy: all are reported as left. Objects to which the program gives a name
carry no mark, but for pods, endpoints and secrets.

--expired deletes the pods, clusters and endpoints whose time limit (expiresAfter) is over, of every
stack. It goes by the variable PODLUMI_EXPIRES that podlumi has set, and asks for no state: run
\`pulumi refresh\` for the stacks after it. The service has no timer, so run this regularly. It keeps,
and reports as left, what may be a copy that somebody made: what was made more than 10 minutes after
its limit was set, or more than 30 seconds after it under another name.

The service does not tell how old templates, volumes and registry credentials are (nor, in some
accounts, secrets). With --older-than they are therefore kept, and reported as left: name their
kinds without --older-than to delete them.

Before each deletion, and before each repetition of one, it looks again, and keeps and reports as
left what is not meant any more: what got another name, another mark or more time, or what a stack
has taken into its state since.

Exit codes: 0 nothing is left of what was asked for; 1 something is left, or --dry-run found
something; 2 nobody could be asked and --yes was not given, or it is open which stack is meant.

Examples:
  podlumi sweep --stack shop/pr-123 --yes
  podlumi sweep --stack shop/pr-123 --mark 70b3f2a8 --yes
  podlumi sweep --expired --yes
  podlumi sweep --prefix pr-123- --dry-run
  podlumi sweep --prefix ci- --older-than 2h --kind Pod --kind ServerlessEndpoint --yes
  podlumi sweep --prefix pr-123- --yes --json`;

interface Options {
  readonly prefix?: string;
  readonly stack?: string;
  readonly expired?: true;
  readonly mark?: readonly string[];
  readonly copies?: true;
  readonly adopted?: true;
  readonly read?: true;
  readonly newer?: true;
  readonly olderThan?: number;
  readonly kind?: ListedKind[];
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
}

/** What happened to an object. */
interface Outcome extends Listed {
  /** Why it is still there. */
  readonly left?: string;
}

/** `podlumi sweep`: deletes the orphans of a stack, or every object whose name begins with a prefix. */
export function sweep(program: Command): void {
  const kind = kindAmong(listedKinds);
  program
    .command("sweep")
    .description("delete what a stack left, or everything whose name begins with a prefix")
    .option(
      "--stack <project/stack>",
      "what carries the mark of this stack and is not in its state",
      stackName,
    )
    .option(
      "--mark <digits>",
      "which stack of that name is meant, by its marks: see `podlumi ls --stack`",
      (text) => text.split(/[\s,]+/).filter((mark) => mark !== ""),
    )
    .option("--copies", "with --stack: also what may be a copy that somebody made")
    .option("--adopted", "with --stack: also what another stack made, and this one adopted")
    .option("--read", "with --stack: also what a program only reads (get)")
    .option("--newer", "with --stack: also what was made after its state was last written")
    .option("--expired", "every pod, cluster and endpoint whose time limit is over")
    .option("--prefix <name>", "how the names begin; must not be empty", (prefix: string) => {
      if (prefix.trim() !== "") return prefix;
      throw new InvalidArgumentError("It must not be empty: that would be the whole account.");
    })
    .option("--older-than <time>", "only what was made longer ago: 90s, 30m, 2h, 7d", duration)
    .option("--kind <kind>", "only this kind; may be given several times", (text, all: ListedKind[] = []) => [
      ...all,
      kind(text),
    ])
    .option("--dry-run", "show what would be deleted, and delete nothing")
    .option("-y, --yes", "do not ask")
    .option("--json", "report as JSON: deleted and left (dry run: found and left)")
    .addHelpText("after", examples)
    .action(async (options: Options, command: Command) => {
      const ways = [options.prefix, options.stack, options.expired];
      if (ways.filter((way) => way !== undefined).length !== 1) {
        command.error("error: say what to delete: either --stack, --prefix or --expired");
      }
      const { stack, mark, copies, adopted, read, newer } = options;
      if (stack === undefined && (mark ?? copies ?? adopted ?? read ?? newer) !== undefined)
        command.error("error: --mark, --copies, --adopted, --read and --newer go with --stack");
      const api = account();
      const { found, kept, complete } = await search(api, options, command);
      if (!complete) process.exitCode = 1;
      if (options.dryRun) {
        if (found.length > 0 || kept.length > 0) process.exitCode = 1;
        return report({ found, left: kept }, options);
      }
      if (found.length > 0 && !options.yes) {
        tell(asTable(found));
        await mustAgree(command, `Delete ${counted(found.length, "object")}?`);
      }
      const outcomes = await remove(api, found, options);
      const left = [...kept, ...outcomes.filter((outcome) => outcome.left !== undefined)];
      if (left.length > 0) process.exitCode = 1;
      report({ deleted: outcomes.filter((outcome) => outcome.left === undefined), left }, options);
    });
}

/** The objects to delete, and those to keep because something about them is not certain. */
async function search(api: Api, options: Options, command: Command) {
  const { olderThan, kind = [] } = options;
  const kinds = listedKinds.filter((one) => kind.length === 0 || kind.includes(one));
  const { wanted, kept = [], complete } = await meant(api, options, kinds, command);
  if (olderThan === undefined) return { found: wanted, kept, complete };
  const limit = api.now() - olderThan;
  const made = ({ createdAt }: Listed) => timeOf(createdAt ?? "");
  const left = "the service does not tell how old it is";
  return {
    found: wanted.filter((one) => made(one) < limit),
    kept: [
      ...kept,
      ...wanted.filter((one) => Number.isNaN(made(one))).map((one): Outcome => ({ ...one, left })),
    ],
    complete,
  };
}

/** The objects that the command line selects, by a prefix, by a stack, or by their time limits. */
async function meant(
  api: Api,
  options: Options,
  kinds: readonly ListedKind[],
  command: Command,
): Promise<{ wanted: Listed[]; kept?: Outcome[]; complete: boolean }> {
  const { prefix, stack, mark, expired } = options;
  if (expired) return overdue(api, kinds);
  if (stack === undefined) {
    const { all, complete } = await listed(api, kinds);
    return { wanted: all.filter(({ name }) => name.startsWith(prefix ?? "")), complete };
  }
  const { stacks, unclear, renamed, complete } = await objectsOfStacks(api, stack, kinds);
  tellRenamed(stack, renamed);
  tellUnclear(stack, unclear);
  if (stacks.length + unclear.length + renamed.length === 0) await tellUnknown(stack);
  if (unclear.length > 0) process.exitCode = 1;
  const chosen = stacks.filter(
    (one) => mark === undefined || one.marks.some((digits) => mark.includes(digits)),
  );
  const objects = chosen.flatMap((one) => one.objects);
  const open = mark === undefined ? whyOpen(stack, chosen, options) : undefined;
  if (open !== undefined) {
    tell(asTable(objects));
    const marks = oneOf(chosen.flatMap((one) => one.marks));
    command.error(`error: ${open}: say with --mark whose are to be deleted, ${marks} [PODLUMI-WHICH-STACK]`);
  }
  const others = stacks.filter((one) => !chosen.includes(one)).flatMap((one) => one.objects);
  const unchosen = others.filter(({ inState }) => inState !== true);
  if (unchosen.length > 0) {
    tell(`podlumi: keeps what has another mark and the name ${stack}:\n${asTable(unchosen)}`);
    // Nobody could say which marks are meant, as where the state was gone already.
    if (mark?.length === 0) process.exitCode = 1;
  }
  const stray = objects.filter(({ inState }) => inState !== true);
  const kept = stray.flatMap((one): Outcome[] => {
    const { why, flags } = inWords(one.doubts);
    if (one.doubts.every(({ flag }) => allows(options, flag))) return [];
    return [{ ...one, left: `${why}. To delete it, add${flags}` }];
  });
  const wanted = stray.filter(({ id }) => !kept.some((one) => one.id === id));
  if (wanted.some(({ inState }) => inState === null)) {
    tell(`podlumi: no state of ${stack} was found with this mark: everything that carries it is meant`);
  } else if (wanted.length > 0) {
    if (chosen.some(({ pending }) => pending))
      tell(
        `podlumi: the state of ${stack} has creates under way. If an \`up\` runs now, it may be making what follows`,
      );
    tell(
      "podlumi: an interrupted run made what follows, or somebody kept it on purpose (retainOnDelete, `pulumi state delete`)",
    );
  }
  return { wanted, kept, complete };
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
    ? `no state of ${stack} has this mark, so that it may be that of a live stack in another backend`
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

/** Deletes what runs first, then what it used. */
async function remove(api: Api, all: readonly Listed[], options: Options): Promise<Outcome[]> {
  const held =
    options.stack === undefined
      ? async () => new Set<string>()
      : heldLately(api.clock, options.read !== true);
  const removeAll = (some: readonly Listed[]) =>
    Promise.all(some.map((one) => removeOne(api, one, options, held)));
  const running = await removeAll(all.filter(({ kind }) => runs.includes(kind)));
  return [...running, ...(await removeAll(all.filter(({ kind }) => !runs.includes(kind))))];
}

const runs: readonly ListedKind[] = ["Pod", "Cluster", "ServerlessEndpoint"];

/** The ids of the objects that states have. */
type Held = () => Promise<ReadonlySet<string>>;

/** Milliseconds for which the deletions of a sweep share a look at the states. */
const shared = 5_000;

/** Returns a function that tells what the states have, as it was at most a moment ago. */
function heldLately(clock: Clock, sparesRead: boolean): Held {
  let latest: { readonly at: number; readonly ids: Promise<ReadonlySet<string>> } | undefined;
  return () => {
    if (latest === undefined || clock.now() - latest.at > shared)
      latest = { at: clock.now(), ids: inStateNow(sparesRead) };
    return latest.ids;
  };
}

async function removeOne(api: Api, one: Listed, options: Options, held: Held): Promise<Outcome> {
  let left: string | undefined;
  // Much may have happened since the list, as while the question was open, and while the deletion waits for a user.
  const isToStay = async () => {
    left = await whyLeft(api, one, options, held);
    return left !== undefined;
  };
  try {
    if (!(await isToStay())) await definitionOf(one.kind).delete(api, one.id, one.object, isToStay);
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    left = errorText(error);
  }
  return left === undefined ? one : { ...one, left };
}

/** Why an object is not to be deleted after all; undefined when it is. */
async function whyLeft(api: Api, one: Listed, options: Options, held: Held): Promise<string | undefined> {
  if ((await held()).has(one.id)) return "it is in the state of a stack by now";
  const present = await definitionOf(one.kind).read(api, one.id, {});
  return present && spared(api, one, present, options);
}

/** Why an object as it is now is not meant any more; undefined when it is. */
function spared(
  api: Api,
  { kind, object }: Listed,
  present: Observed,
  { expired, prefix }: Options,
): string | undefined {
  if (expired) return isExpired(present, api.now()) ? undefined : "its time limit is not over any more";
  if (prefix !== undefined)
    return String(present.name).startsWith(prefix) ? undefined : `it is called ${present.name} by now`;
  const [before, now] = [object, present].map((one) => markDigits(definitionOf(kind), one));
  return before === now ? undefined : "it does not carry the mark of the stack any more";
}

function report(lists: Record<string, readonly Outcome[]>, { json }: Options): void {
  const shown = ({ kind, id, name, createdAt, left }: Outcome) => ({ kind, id, name, createdAt, left });
  const entries = Object.entries(lists);
  if (json) printJson(Object.fromEntries(entries.map(([list, all]) => [list, all.map(shown)])));
  else if (entries.every(([, all]) => all.length === 0)) print("nothing to delete");
  else for (const [list, all] of entries) for (const one of all) print(readable(list, one));
}

function readable(list: string, { kind, id, name, left }: Outcome): string {
  const verdict = coloured(list === "left" ? "red" : "green", list.padEnd(7));
  return `${verdict}  ${inLine(`${kind} ${name} (${id})${left === undefined ? "" : `: ${left}`}`)}`;
}
