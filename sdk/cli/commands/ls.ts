import { Argument, type Command, Option } from "commander";
import { account } from "../account";
import { oneKindOf, stackName } from "../arguments";
import { below } from "../help";
import { definitionOf, type ListedKind, listed, listedKinds } from "../kinds";
import { asTable } from "../object-table";
import { print, printJson } from "../output";
import { type Marked, marksOf, objectsOfStack, tellOfOthers } from "../states/stack";

const examples = `
Costs are those that the service reports: running pods and clusters, per hour. It reports none of
endpoints, which cost what their workers run, and of volumes, which cost what they hold.

--stack lists what carries the mark of a stack, by which podlumi recognizes its own objects, and
what its state has. Kinds other than pods, endpoints and secrets carry no mark if the program names
them. STATE says whether the state of the stack has the object, or that of another stack; for that,
\`pulumi\` has to be logged in to its backend. MADE FOR is the resource, from the mark or from the
state; those kinds have no room for it in the mark. Two stacks of one name have two marks. --marks
prints those of the stack that \`pulumi\` shows here, for a sweep after its destroy.

--left lists what is left over: it carries the mark of the stack, and no state has it. If there is
anything, the command ends with 1, for a job that runs each night. So it does where it names what may
be of the stack, such as a volume that an interrupted run may have created.

Exit codes: 0 success; with --left, nothing is left over; 1 something could not be listed, or is left.

Examples:
  podlumi ls
  podlumi ls pods
  podlumi ls --stack shop/dev
  podlumi ls --stack shop/pr-123 --marks
  podlumi ls --stack shop/prod --left
  podlumi ls pods --json | jq -r '.[] | select(.status == "RUNNING") | .id'`;

interface Options {
  readonly json?: true;
  readonly stack?: string;
  readonly marks?: true;
  readonly left?: true;
}

/** `podlumi ls`: everything in the account. */
export function ls(program: Command): void {
  program
    .command("ls")
    .description("list what the account has: name, status, cost, time of creation")
    .addArgument(
      oneKindOf(new Argument("[kind]", "one kind only, such as Pod, pods or volumes"), listedKinds),
    )
    .option(
      "--stack <project/stack>",
      "only what carries the mark of this stack, or is in its state",
      stackName,
    )
    .addOption(
      new Option(
        "--marks",
        "only the marks that this stack gives now, by its state: for `sweep --mark`",
      ).conflicts(["json", "left"]),
    )
    .option("--left", "only what this stack has left over; ends with 1 if there is anything")
    .option(
      "--json",
      "as JSON: kind, id, name, status, cost (USD an hour), createdAt; of a stack: mark, resource, inState, otherStack, leftover, doubts",
    )
    .addHelpText("after", below(examples))
    .action(async (kind: ListedKind | undefined, options: Options, command: Command) => {
      const { json, stack, marks, left } = options;
      if (marks || left) {
        if (stack === undefined) command.error("error: say with --stack whose you want");
        if (marks) return print((await marksOf(stack)).join(","));
      }
      const kinds = kind === undefined ? listedKinds : [kind];
      const { all, complete } =
        stack === undefined ? await listed(account(), kinds) : await ofStack(stack, kinds, left);
      if (!complete) process.exitCode = 1;
      if (json) printJson(all.map(({ object, ...shown }) => shown));
      else if (all.length > 0) print(asTable(all));
      else if (complete) print(nothingFound(kind, options));
    });
}

function nothingFound(kind: ListedKind | undefined, { stack, left }: Options): string {
  const what = kind === undefined ? "nothing" : `no ${definitionOf(kind).noun}`;
  if (stack === undefined) return `the account has ${what}`;
  return left
    ? `${what} of ${stack} is left over`
    : `${what} carries the mark of ${stack}, or is in its state`;
}

/** What the account has of a stack: all of it, or what is left over, which makes the command fail. */
async function ofStack(
  stack: string,
  kinds: readonly ListedKind[],
  isLeft: true | undefined,
): Promise<{ all: readonly Marked[]; complete: boolean }> {
  const found = await objectsOfStack(account(), stack, kinds);
  tellOfOthers(stack, found);
  const { objects, complete } = found;
  if (!isLeft) return { all: objects, complete };
  const all = objects.filter(({ leftover }) => leftover);
  if (all.length + found.unclear.length + found.maybeCreated.length > 0) process.exitCode = 1;
  return { all, complete };
}
