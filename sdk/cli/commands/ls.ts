import { Argument, type Command, Option } from "commander";
import { account } from "../account";
import { oneKindOf, stackName } from "../arguments";
import { below } from "../help";
import { definitionOf, type ListedKind, listed, listedKinds } from "../kinds";
import { asTable } from "../object-table";
import { print, printJson } from "../output";
import { isAll, type Marked, marksOf, objectsOfStack, tellOfOthers } from "../states/stack";

const examples = `
Costs are those that the service reports: of running pods and clusters, per hour. It reports none of endpoints,
which cost what their workers run, and of volumes, which cost what they hold.

--stack lists what carries the mark of a stack, by which podlumi knows its own objects, and what the state of the
stack has. Pods, endpoints and secrets always carry a mark, other kinds only under a name that podlumi made up.
MADE FOR is the resource. STATE says whose state has the object; for that, \`pulumi\` has to be logged in to the
backend.

--marks prints the marks of the stack that \`pulumi\` shows here: take them before a destroy, for the sweep after
it. Two stacks of one name have two marks.

--left lists what carries the mark of the stack and is in no state. The command ends with 1 if there is anything, or
may be, such as a volume that an interrupted run may have created. So a job can run it each night.

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
      new Option("--marks", "print only the marks of this stack, for `sweep --mark`").conflicts([
        "json",
        "left",
      ]),
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
        if (stack === undefined) command.error("error: --marks and --left need --stack");
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

/** The objects of a stack: all, or the leftovers, which make the command fail. They are complete where nothing else may be left over. */
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
  if (all.length > 0) process.exitCode = 1;
  return { all, complete: isAll(found) };
}
