import { type Command, InvalidArgumentError, Option } from "commander";
import { inLine } from "../../../provider/mask";
import { account } from "../account";
import { kindAmong, milliseconds, stackName } from "../arguments";
import { below } from "../help";
import { type ListedKind, listedKinds } from "../kinds";
import { asTable } from "../object-table";
import { coloured, counted, mustAgree, print, printJson, tell } from "../output";
import type { Options, Outcome } from "../sweep/options";
import { remove } from "../sweep/remove";
import { search } from "../sweep/search";

const examples = `
For a teardown that must not depend on a state file. It deletes what runs first, then templates, then volumes,
credentials and secrets. While something uses an object, its deletion is retried for up to 3 minutes. Before each try
it looks again, and keeps what has another name, another mark or more time by then, or is in a stack's state. What it
keeps, it reports as left.

--stack deletes what carries the mark of a stack and is in no state that \`pulumi\` shows here: what interrupted runs
left, and what somebody kept on purpose (retainOnDelete, deletedWith, \`pulumi state delete\`). podlumi cannot tell
these apart, so look before you confirm. If \`pulumi\` cannot read the states, it deletes nothing. It keeps what may
be a copy that a person made (--copies deletes it), what another stack created and this one adopted (--adopted), what
a program reads with get (--read), and what a run is adopting. Pods, endpoints and secrets always carry a mark, other
kinds only under a name that podlumi made up.

Two stacks of one name (two backends, or one that was created again) have two marks: a sweep goes by the state that
\`pulumi\` shows, and --mark names another one. After \`pulumi destroy\`, no state has the mark, and it may be that of
a live stack in another backend. So --yes then needs --mark: \`npx podlumi ls --stack ... --marks\` prints it before
the destroy.

--expired deletes the pods, clusters and endpoints of all stacks whose time limit (expiresAfter) is over. It reads
their variable PODLUMI_EXPIRES, and no state: run \`pulumi refresh\` for the stacks afterwards. The service has no
timer, so run this regularly. It keeps what may be a copy that a person made: created more than 10 minutes after its
limit was set, or more than 30 seconds under another name.

--prefix deletes what has such a name and is no stack's: pr-1 begins pr-12, too. It keeps what carries the mark of a
stack, and what a state that \`pulumi\` shows here has, reads or is getting; where a state cannot be read, everything.
--marked deletes that, too, and reads no state.

--older-than keeps templates, volumes and registry credentials (in some accounts also secrets): the service does not
return their age. To delete them, name their kinds without --older-than.

Exit codes: 0 nothing is left; 1 something is left, or --dry-run found something; 2 there is no
terminal to ask on and no --yes, or it is open which stack is meant.

Examples:
  podlumi sweep --stack shop/pr-123 --yes
  podlumi sweep --stack shop/pr-123 --mark 70b3f2 --yes
  podlumi sweep --expired --yes
  podlumi sweep --prefix pr-123- --dry-run
  podlumi sweep --prefix ci- --older-than 2h --kind pods --kind endpoints --yes
  podlumi sweep --prefix pr-123- --yes --json`;

/** `podlumi sweep`: deletes what a stack has left over, or what is no stack's and has a name with a prefix. */
export function sweep(program: Command): void {
  const kind = kindAmong(listedKinds);
  program
    .command("sweep")
    .description("delete what a stack left, what is over its time, or what has a name with a prefix")
    .option(
      "--stack <project/stack>",
      "what carries the mark of this stack and is not in its state",
      stackName,
    )
    .option(
      "--mark <digits>",
      "the mark of the stack that is meant, if several have the name: see `npx podlumi ls --stack`",
      (text) => text.split(/[\s,]+/).filter((mark) => mark !== ""),
    )
    .option("--copies", "with --stack: also what may be a copy that a person made")
    .option("--adopted", "with --stack: also what another stack created, and this one adopted")
    .option("--read", "with --stack: also what a program only reads (get)")
    .option("--expired", "every pod, cluster and endpoint whose time limit is over")
    .option(
      "--prefix <name>",
      "what has a name with this prefix, and no stack; must not be empty",
      (prefix: string) => {
        if (prefix.trim() !== "") return prefix;
        throw new InvalidArgumentError("It must not be empty: that would be the whole account.");
      },
    )
    .option("--marked", "with --prefix: also what a stack created, has or reads")
    .option("--older-than <time>", "only what was created longer ago: 90s, 30m, 2h, 7d", milliseconds)
    .addOption(
      new Option("--kind <kind>", "only this kind; may be given several times")
        .choices(listedKinds)
        .argParser((text, all: ListedKind[] = []) => [...all, kind(text)]),
    )
    .option("--dry-run", "show what would be deleted, and delete nothing")
    .option("-y, --yes", "do not ask")
    .option("--json", "report as JSON: deleted and left (dry run: found and left)")
    .addHelpText("after", below(examples))
    .action(act);
}

/** Finds what to delete and, unless it is a dry run, deletes it. */
async function act(options: Options, command: Command): Promise<void> {
  failIfUnclear(options, command);
  const { found, kept, complete } = await search(account(), options, command);
  if (!complete) process.exitCode = 1;
  if (options.dryRun) {
    if (found.length > 0 || kept.length > 0) process.exitCode = 1;
    return report({ found, left: kept }, options, complete);
  }
  if (found.length > 0 && !options.yes) {
    tell(asTable(found, "whole"));
    await mustAgree(command, `Delete ${counted(found.length, "object")}?`);
  }
  const outcomes = await remove(account, found, options);
  const left = [...kept, ...outcomes.filter((outcome) => outcome.left !== undefined)];
  if (left.length > 0) process.exitCode = 1;
  report({ deleted: outcomes.filter((outcome) => outcome.left === undefined), left }, options, complete);
}

function failIfUnclear(options: Options, command: Command): void {
  const ways = [options.prefix, options.stack, options.expired];
  if (ways.filter((way) => way !== undefined).length !== 1) {
    command.error("error: say what to delete: either --stack, --prefix or --expired");
  }
  const { stack, mark, copies, adopted, read, prefix, marked } = options;
  if (stack === undefined && (mark ?? copies ?? adopted ?? read) !== undefined)
    command.error("error: --mark, --copies, --adopted and --read go with --stack");
  if (marked && prefix === undefined) command.error("error: --marked goes with --prefix");
}

/** Prints the lists. Only where everything could be looked at, there is nothing to delete. */
function report(lists: Record<string, readonly Outcome[]>, { json }: Options, complete: boolean): void {
  const shown = ({ kind, id, name, createdAt, left }: Outcome) => ({ kind, id, name, createdAt, left });
  const entries = Object.entries(lists);
  if (json) printJson(Object.fromEntries(entries.map(([list, all]) => [list, all.map(shown)])));
  else if (complete && entries.every(([, all]) => all.length === 0)) print("nothing to delete");
  else for (const [list, all] of entries) for (const one of all) print(readable(list, one));
}

function readable(list: string, { kind, id, name, left }: Outcome): string {
  const verdict = coloured(list === "left" ? "red" : "green", list.padEnd(7));
  return `${verdict}  ${inLine(`${kind} ${name} (${id})${left === undefined ? "" : `: ${left}`}`)}`;
}
