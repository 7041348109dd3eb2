import type { Command } from "commander";
import { environmentSettings } from "../../../provider/config";
import { Maker } from "../../../provider/core/create";
import { type Entry, Journal } from "../../../provider/core/journal";
import { removeLeftovers } from "../../../provider/core/leftovers";
import { definitions } from "../../../provider/resources";
import type { Kind } from "../../resource";
import { account } from "../account";
import { definitionOf } from "../kinds";
import { coloured, counted, mustAgree, print, printJson, table, tell } from "../output";

const examples = `
A run that was killed while it made something may have left it behind, known to no state. The next \`pulumi up\` of
the same stack on this machine takes it over or deletes it: this is for stacks that nobody runs any more.
Do not delete while a \`pulumi up\` runs. A note of which nothing was made is removed, and nothing else.

Exit codes: 0 there are no notes, or none is left; 1 there are some.

Examples:
  podlumi leftovers
  podlumi leftovers --delete --yes`;

interface Options {
  readonly delete?: true;
  readonly yes?: true;
  readonly json?: true;
}

/** What runs that were interrupted noted on this machine for the account. */
export function notedHere(): { journal: Journal; notes: () => Entry[] } {
  const { apiUrl, apiKey } = environmentSettings();
  const journal = new Journal(apiUrl, apiKey);
  return { journal, notes: () => journal.leftovers("") };
}

/** `podlumi leftovers`: what interrupted runs may have made. */
export function leftovers(program: Command): void {
  program
    .command("leftovers")
    .description("list what interrupted runs on this machine noted, and delete what they made")
    .option("--delete", "delete what they made, and the notes")
    .option("-y, --yes", "do not ask")
    .option("--json", "as JSON: urn, noun, name, id (where it was answered), began")
    .addHelpText("after", examples)
    .action(async (options: Options, command: Command) => {
      const { journal, notes } = notedHere();
      if (options.delete && notes().length > 0) {
        if (!options.yes) {
          tell(shown(notes()));
          await mustAgree(command, `Delete what these ${counted(notes().length, "note")} tell of?`);
        }
        const api = account();
        const makers = new Map(
          (Object.keys(definitions) as Kind[])
            .map(definitionOf)
            .map((definition) => [definition.noun, new Maker(definition)]),
        );
        await removeLeftovers({ api: () => api, journal: () => journal, makers }, "", () => true, tell);
      }
      const left = notes();
      if (left.length > 0) process.exitCode = 1;
      if (options.json) printJson(left.map(readable));
      else print(left.length === 0 ? "no notes of interrupted runs" : shown(left));
    });
}

const readable = ({ urn, noun, name, id, began }: Entry) => ({
  urn,
  noun,
  name,
  id,
  began: new Date(began).toISOString(),
});

function shown(notes: readonly Entry[]): string {
  const rows = notes
    .map(readable)
    .map(({ noun, name, id, began, urn }) => [noun, name, id ?? "", began, urn]);
  return `${table(["KIND", "NAME", "ID", "BEGAN", "FOR"], rows)}\n${coloured(
    "dim",
    "`pulumi up` of its stack takes over or deletes what was made; so does --delete here",
  )}`;
}
