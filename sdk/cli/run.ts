import { Command, CommanderError } from "commander";
import { ExpectedError, errorText } from "../../provider/client/errors";
import { adviseForCommands } from "../../provider/client/remedies";
import { withCode } from "../../provider/codes";
import { didYouMean } from "../../provider/did-you-mean";
import { tellWaits } from "../../provider/engine/log";
import { inLines } from "../../provider/mask";
import { bills } from "./commands/bills";
import { completion } from "./commands/completion";
import { convertV1 } from "./commands/convert-v1";
import { cost } from "./commands/cost";
import { cpus } from "./commands/cpus";
import { dataCenters } from "./commands/datacenters";
import { doctor } from "./commands/doctor";
import { emulator } from "./commands/emulator";
import { generate } from "./commands/generate";
import { gpus } from "./commands/gpus";
import { jobs } from "./commands/jobs";
import { logs } from "./commands/logs";
import { ls } from "./commands/ls";
import { ssh } from "./commands/ssh";
import { sweep } from "./commands/sweep";
import { below } from "./help";
import { tell } from "./output";
import { version } from "./package";

const epilog = `
The account is that of the environment, as in programs:
  RUNPOD_API_KEY       the API key
  RUNPOD_API_URL       REST v2, default https://api.runpod.io/v2
  RUNPOD_GRAPHQL_URL   GraphQL, default https://api.runpod.io/graphql
  RUNPOD_QUEUE_URL     queues of endpoints, default https://api.runpod.ai

No option takes a key: every user of a machine sees the arguments of its processes, and shells keep them in a file.

Exit codes: 0 success; 1 the command failed or found something; 2 the command line is wrong, or the command needs a
decision of yours.

Colours are shown on a terminal only, and never with NO_COLOR.`;

/** The commands, in the order of the help. */
const commands = [
  ls,
  gpus,
  cpus,
  dataCenters,
  logs,
  ssh,
  jobs,
  cost,
  bills,
  doctor,
  generate,
  convertV1,
  sweep,
  emulator,
  completion,
];

/** One call of the command line, `npx podlumi`. Each command has its own file. */
export async function run(words: readonly string[]): Promise<void> {
  adviseForCommands();
  tellWaits((text) => tell(`podlumi: ${inLines(text)}`));
  const program = new Command("podlumi")
    .description(
      "RunPod from the command line: see, check, adopt and clean up an account. Needs no Pulumi program.",
    )
    .version(version)
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command...]", "show help of a command")
    .showHelpAfterError("(see --help)")
    .enablePositionalOptions()
    .exitOverride()
    .addHelpText("after", below(epilog))
    .hook("preAction", (_program, command) => mustNotBeEmpty(command));
  for (const add of commands) add(program);
  try {
    await program.parseAsync(helpAsked(program, words), { from: "user" });
  } catch (error) {
    process.exitCode = exitCode(error);
  }
}

/** `help jobs run` as `jobs run --help`, which every command understands: the parser's own `help` takes one word, and any. */
function helpAsked(program: Command, words: readonly string[]): readonly string[] {
  const [first, ...names] = words;
  if (first !== "help" || names.some((name) => name.startsWith("-"))) return words;
  const inner = (command: Command, name: string): Command =>
    command.commands.find((one) => one.name() === name) ??
    command.error(
      `error: unknown command '${name}'${didYouMean(
        name,
        command.commands.map((one) => one.name()),
      )}`,
    );
  names.reduce(inner, program);
  return [...names, "--help"];
}

/** No argument and no option takes an empty text, which comes of a variable of the shell that is not set. */
function mustNotBeEmpty(command: Command): void {
  const options = command.options.filter(
    (option) => command.getOptionValueSource(option.attributeName()) === "cli",
  );
  const given = [
    ...command.registeredArguments.map((one, n) => [`the argument ${one.name()}`, command.processedArgs[n]]),
    ...options.map((one) => [
      one.long,
      [command.getOptionValue(one.attributeName())].flat().find((value) => value === ""),
    ]),
  ];
  for (const [name, value] of given) if (value === "") command.error(`error: ${name} must not be empty`);
}

/** Prints a failure and returns the exit code. Commander has already printed its own failures. */
export function exitCode(error: unknown): number {
  if (error instanceof CommanderError) {
    const asked = ["commander.help", "commander.helpDisplayed", "commander.version"].includes(error.code);
    return asked && error.exitCode === 0 ? 0 : 2;
  }
  tell(`podlumi: ${inLines(saidOf(error as NodeJS.ErrnoException))}`);
  return 1;
}

function saidOf(error: NodeJS.ErrnoException): string {
  if (error instanceof ExpectedError) return errorText(error);
  // A package is missing that npm does not install with podlumi.
  if (error.code?.startsWith("PODLUMI-")) return error.message;
  // The operating system has refused something, such as a new file.
  if (error.syscall !== undefined) return withCode(error.message, "PODLUMI-COMMAND");
  return withCode(String(error.stack), "PODLUMI-DEFECT");
}
