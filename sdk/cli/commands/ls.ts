import { Argument, type Command, Option } from "commander";
import { account } from "../account";
import { oneKindOf, stackName } from "../arguments";
import { below } from "../help";
import { definitionOf, type ListedKind, listed, listedKinds } from "../kinds";
import { asTable } from "../object-table";
import { print, printJson } from "../output";
import { type Marked, marksOf, objectsOfStacks, tellOfOthers } from "../stack";

const examples = `
Costs are those that the service reports: running pods and clusters, per hour. It reports none of
endpoints, which cost what their workers run, and of volumes, which cost what they hold.

--stack lists what carries the mark of a stack, by which podlumi recognizes its own objects, and
what its state has. Kinds other than pods, endpoints and secrets carry no mark if the program names
them. STATE says whether the state of the stack has the object, or that of another stack; for that,
\`pulumi\` has to be logged in to its backend. MADE FOR is the resource, from the mark or from the
state; those kinds have no room for it in the mark. Two stacks of one name have two marks. --marks
prints those of the stack that \`pulumi\` shows here, for a sweep after its destroy.

Examples:
  podlumi ls
  podlumi ls pods
  podlumi ls --stack shop/dev
  podlumi ls --stack shop/pr-123 --marks
  podlumi ls pods --json | jq -r '.[] | select(.status == "RUNNING") | .id'`;

interface Options {
  readonly json?: true;
  readonly stack?: string;
  readonly marks?: true;
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
      ).conflicts("json"),
    )
    .option(
      "--json",
      "as JSON: kind, id, name, status, cost (USD an hour), createdAt; of a stack: mark, resource, inState, otherStack, doubts",
    )
    .addHelpText("after", below(examples))
    .action(async (kind: ListedKind | undefined, { json, stack, marks }: Options, command: Command) => {
      if (marks) {
        if (stack === undefined) command.error("error: say with --stack whose marks you want");
        return print((await marksOf(stack)).join(","));
      }
      const kinds = kind === undefined ? listedKinds : [kind];
      const { all, complete } =
        stack === undefined ? await listed(account(), kinds) : await ofStack(stack, kinds);
      if (!complete) process.exitCode = 1;
      if (json) printJson(all.map(({ object, ...shown }) => shown));
      else if (all.length > 0) print(asTable(all));
      else if (complete) print(nothingFound(kind, stack));
    });
}

function nothingFound(kind: ListedKind | undefined, stack: string | undefined): string {
  const what = kind === undefined ? "nothing" : `no ${definitionOf(kind).noun}`;
  return stack === undefined
    ? `the account has ${what}`
    : `${what} carries the mark of ${stack}, or is in its state`;
}

async function ofStack(
  stack: string,
  kinds: readonly ListedKind[],
): Promise<{ all: Marked[]; complete: boolean }> {
  const found = await objectsOfStacks(account(), stack, kinds);
  tellOfOthers(stack, found);
  return {
    all: [...found.stacks.flatMap(({ objects }) => objects), ...found.held],
    complete: found.complete,
  };
}
