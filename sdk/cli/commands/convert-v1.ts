import { type Command, Option } from "commander";
import { inLine } from "../../../provider/mask";
import type { Properties } from "../../../provider/value";
import { type Conversion, convert, type Kind, kindOf, kinds, type Note } from "../../v1";
import { contentOf, fromJson, language, oneKindOf } from "../arguments";
import { linked, type Target } from "../generate/links";
import { below } from "../help";
import { CommandError, print, printJson, tell } from "../output";
import { type Declaration, described, type LanguageName, languages, Program } from "../program/program";
import { type Old, type Olds, terraformState } from "../terraform";

const examples = `
FILE has a body or a response of REST v1, a list of one kind, or a state of Terraform: terraform.tfstate,
or the output of \`terraform show -json\`; - reads standard input. The program goes to standard output. Notes about everything that
REST v2 lacks or understands in another way go to standard error. The program reads what looks secret
from the configuration of the stack; in --json, it is {"expression": "config.requireSecret(…)"}. The
command sends no request. The program creates new objects; with --adopt, it adopts those whose ids
are in FILE.

Exit codes: 0 converted; 1 something is left for you to write.

Examples:
  podlumi convert-v1 pods.json > index.ts
  podlumi convert-v1 pods.json --adopt > index.ts
  terraform show -json | podlumi convert-v1 - --adopt > index.ts
  podlumi convert-v1 state.json --adopt --language python > __main__.py
  podlumi convert-v1 state.json --adopt --language yaml > Pulumi.yaml
  podlumi convert-v1 - --kind Template < template.json`;

interface Options {
  readonly kind?: Kind;
  readonly adopt?: boolean;
  readonly json?: true;
  readonly language: LanguageName;
}

/** `podlumi convert-v1`: converts bodies of REST v1 to a program. */
export function convertV1(program: Command): void {
  program
    .command("convert-v1")
    .description("turn bodies of the retired REST v1, or Terraform's state, into a Pulumi program")
    .argument("<file>", "JSON of REST v1, or of Terraform's state")
    .addOption(oneKindOf(new Option("--kind <kind>", "what it is, if its keys do not show it"), kinds))
    .option("--adopt", "adopt the existing objects, instead of creating new ones")
    .addOption(language())
    .option("--json", "as JSON instead of a program: kind, args and notes of each object")
    .addHelpText("after", below(examples))
    .action(act);
}

/** Prints the program, and tells what it leaves out or says in another way. */
async function act(file: string, options: Options): Promise<void> {
  const source = file === "-" ? "standard input" : file;
  const body = fromJson(source, await contentOf(file));
  const { objects, others } = terraformState(body) ?? ofOneKind(source, body, options.kind);
  const ids = options.adopt ? idsIn(source, objects) : [];
  const program = new Program(languages[options.language]);
  const targets: Target[] = [];
  const all = objects.map(({ kind, body, address }, index) => {
    const { args, notes } = converted(kind, body);
    // JSON has no variables to refer to.
    const own = options.json ? args : linked(args as Properties, program, targets);
    const declaration = declared(program, kind, own, ids[index]);
    targets.push({ found: { kind, id: String(Object(body).id), name: undefined }, declaration });
    return { kind, address, notes, args: declaration.args };
  });
  if (options.json) printJson(all.map((one) => ({ ...one, args: described(one.args) })));
  else print(program.source().trimEnd());
  for (const { address, notes } of all)
    for (const note of notes) if (note.kind !== "omitted") tellNote(note, address);
  for (const address of others)
    tell(inLine(`decide: ${address} is of no kind that REST v1 had: left out. Write it yourself`));
  const decide = all.some(({ notes }) => notes.some(({ kind }) => kind === "decide"));
  if (decide || others.length > 0) process.exitCode = 1;
}

function tellNote({ kind, path, value, text }: Note, address: string | undefined): void {
  const where = address === undefined ? path : `${address}.${path}`;
  tell(inLine(`${kind}: ${where}${value === undefined ? "" : ` (${JSON.stringify(value)})`} ${text}`));
}

function ofOneKind(source: string, body: unknown, given: Kind | undefined): Olds {
  const kind = given ?? kindOf(body);
  if (kind !== undefined) return { objects: [body].flat().map((one) => ({ kind, body: one })), others: [] };
  throw new CommandError(
    `the keys of ${source} do not tell what it is: give --kind, one of ${kinds.join(", ")}`,
  );
}

function converted(kind: Kind, body: unknown): Conversion<object> {
  try {
    return convert(kind, body);
  } catch (error) {
    throw error instanceof TypeError ? new CommandError(error.message) : error;
  }
}

/** The ids of the objects to adopt, in the order of the listing. */
function idsIn(source: string, objects: readonly Old[]): string[] {
  return objects.map(({ body }) => {
    const { id } = body as { id?: unknown };
    if (typeof id === "string" && id !== "") return id;
    throw new CommandError(`--adopt needs the id of each object, and one in ${source} has none`);
  });
}

/** Declares an object with the name that it has in REST v1, and none if it has none: an adopted one then keeps its own. */
function declared(program: Program, kind: Kind, args: object, adopt: string | undefined): Declaration {
  const { name } = args as Properties;
  const logicalName = program.logicalName(kind, String(name ?? kind));
  const all = { ...args, ...(adopt !== undefined && { adopt }) };
  const declaration = { kind, logicalName, args: complete(program, kind, logicalName, all) };
  program.declare(declaration);
  return declaration;
}

function complete(program: Program, kind: Kind, logicalName: string, args: Properties): Properties {
  if (kind !== "RegistryAuth") return program.withoutSecrets(kind, logicalName, args);
  const login = ["username", "password"].map((name) => [
    name,
    program.secret([`${logicalName} ${name}`], `${name} of ${kind} "${logicalName}"`, args[name]),
  ]);
  return { ...args, ...Object.fromEntries(login) };
}
