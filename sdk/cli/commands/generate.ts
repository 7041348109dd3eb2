import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { type Command, InvalidArgumentError, Option } from "commander";
import { describe } from "../../../provider/core/telling";
import { inLine } from "../../../provider/mask";
import type { KindName } from "../../../provider/resources";
import { account } from "../account";
import { contentOf, language } from "../arguments";
import { type Declared, programOf } from "../generate/account-program";
import { importFile } from "../generate/import-file";
import { type Found, observedIn } from "../generate/observe";
import { mustBeNew, projectName, writePrivately, writeProject } from "../generate/project";
import { inStateOf } from "../generate/state-of-another";
import { below } from "../help";
import { CommandError, counted, print, printJson, tell } from "../output";
import { described, type LanguageName, languages, type Setting } from "../program/program";
import { statesShown } from "../states/pulumi";

const examples = `
It changes nothing in the account. Without --out the program goes to standard output; in YAML, it is
the whole Pulumi.yaml. package.json depends on this very package: on its version if it came from npm,
otherwise on the file or the folder from which it was installed. The program leaves out defaults. It
reads what looks secret in env and args, and what the service never returns, from the configuration
of the stack: the command prints which names to set. --json prints resources, each with kind, name,
id and args, and config with the names to set. A value from the configuration, or from another
resource, is {"expression": "data.id"}. A resource that is only read has "read": true.

To let a stack adopt what exists:
  podlumi generate --adopt --out infra
  cd infra && npm install && pulumi stack init dev
  pulumi config set --secret hfToken   # for each name that was printed
  pulumi up                            # the preview says what each adopts

Or with a file for \`pulumi import\`, after which the program is as if it had created everything itself:
  podlumi generate --out infra --values values.env --import import.json
  (as above, up to the configuration)
  pulumi import --file ../import.json --protect=false \\
    --generate-code=false --yes
  rm ../import.json                    # it holds secrets in plain text
  pulumi preview --expect-no-changes

In Python, where podlumi's plugin is installed; in YAML, without \`pulumi install\`:
  podlumi generate --language python --adopt --out infra
  cd infra && pulumi install && pulumi stack init dev
  (as above, from the configuration on)

--adopt and --import leave out what a stack has, since that stack would still change it and delete
it. podlumi sees this by its mark, and by the states of the backend to which \`pulumi\` is logged in
here. Take such an object out of the state of that stack first (\`pulumi state delete\`), and add
--marked if it has a mark.

--state takes a terraform.tfstate, or what \`terraform show -json\` or \`pulumi stack export\` prints,
and goes by the ids in it.

values.env has one NAME=value line for each value that the service never returns: values of secrets,
user names and passwords of registry credentials. The names are those of the configuration. An object
without its value there is not adopted: the program reads it by its id.`;

interface Options {
  readonly out?: string;
  readonly prefix: string;
  readonly state?: string;
  readonly stack: string;
  readonly values?: string;
  readonly import?: string;
  readonly adopt?: true;
  readonly marked?: true;
  readonly json?: true;
  readonly language: LanguageName;
}

/** `podlumi generate`: writes a program that declares the objects of the account. */
export function generate(program: Command): void {
  program
    .command("generate")
    .description("write a Pulumi program that declares what the account has")
    .option(
      "--out <folder>",
      "where to write the project: the program, Pulumi.yaml and what installs podlumi",
    )
    .addOption(language())
    .option("--prefix <name>", "only what has a name with this prefix", "")
    .option("--state <file>", "only what this state has, of Terraform or of the vendor's Pulumi provider")
    .option("--adopt", "let the program adopt what exists, with the argument adopt")
    .option("--marked", "also what a stack created or has; for --adopt and --import")
    .addOption(new Option("--json", "as JSON instead of a program").conflicts(["out", "import"]))
    .addOption(
      new Option(
        "--import <file>",
        "write a file for `pulumi import --file` too, for TypeScript; needs --out",
      ).conflicts("adopt"),
    )
    .option("--stack <name>", "the stack that will import", stackName, "dev")
    .option("--values <file>", "values that the service never returns, for --import")
    .addHelpText("after", below(examples))
    .action(write);
}

/** Writes the program, and the file for an import, and tells what is left to do. */
async function write(options: Options, command: Command): Promise<void> {
  const { out, prefix, stack, adopt = false } = options;
  if (options.import !== undefined && out === undefined)
    command.error("error: --import needs --out, since a state names its project");
  if (options.import !== undefined && options.language !== "typescript")
    command.error(
      "error: --import writes the state of the dynamic provider, which only TypeScript has: take --adopt, or `pulumi import`",
    );
  if (out !== undefined) mustBeNew(out, options.language, options.import);
  const given = options.values === undefined ? {} : parseEnv(await contentOf(options.values, "--values"));
  const values = new Map(Object.entries(given));
  const taken = adopt || options.import !== undefined;
  const present = await observedIn(account(), prefix);
  const existing = options.state === undefined ? present : await inStateOf(options.state, present);
  const all = taken && !options.marked ? await withoutOthers(existing) : existing;
  const { program, declared } = programOf(
    all.filter((found) => !isNameless(found)),
    { language: languages[options.language], values, adopt, known: options.import !== undefined },
  );
  if (declared.length === 0 && taken && out !== undefined)
    throw new CommandError("there is nothing to declare, so no project was written");
  if (declared.length === 0) tell("podlumi: there is nothing to declare");
  const source = program.source(untold(declared), out && projectName(out));
  if (options.json) printJson({ resources: declared.map(asJson), config: program.settings });
  else if (out === undefined) print(source.trimEnd());
  else await writeProject(out, projectName(out), options.language, source);
  if (options.import !== undefined && out !== undefined)
    await writePrivately(options.import, importFile(declared, stack, projectName(out)));
  tellUnused([...values.keys()], program.settings);
  for (const { kind, id } of all.filter(isNameless))
    tell(`podlumi: ${kind} ${id} has no name and is left out`);
  tellRead(declared);
  tellSettings(program.settings);
  if (out !== undefined) tell(`podlumi: ${counted(declared.length, "resource")} in ${out}`);
  if (declared.length > 0 && !options.json) tell(`podlumi: ${nextStep(options)}`);
}

/** What the program creates, or the command that comes next. */
function nextStep(options: Options): string {
  const { out, adopt, import: file } = options;
  const where = out === undefined ? "of this program" : `in ${out}`;
  const first = firstSteps(options);
  if (adopt)
    return `${first}\`pulumi up\` ${where} adopts the existing objects. Its preview calls each of them a create, and says what it adopts`;
  if (file !== undefined)
    return (
      `${first}\`pulumi import --file ${resolve(file)} --protect=false --generate-code=false\` ${where} takes the existing objects into ` +
      "the state"
    );
  return (
    `${first}\`pulumi up\` ${where} creates new objects in addition to the existing ones, one for each resource.\n` +
    "podlumi: to have the program take the existing ones instead, give --adopt or --import"
  );
}

/** What a new project needs before anything else. */
function firstSteps({ out, language, import: file, stack }: Options): string {
  if (out === undefined) return "";
  const install = { typescript: "`npm install` and ", python: "`pulumi install` and ", yaml: "" };
  const name = file === undefined ? "" : ` ${stack}`;
  return `run ${install[language]}\`pulumi stack init${name}\` in ${out} first. `;
}

/** What no stack has or has created. Tells the rest. */
async function withoutOthers(existing: readonly Found[]): Promise<readonly Found[]> {
  const stacks = await stacksThatHave();
  const others = existing.filter(({ id, mark }) => mark !== undefined || stacks.has(id));
  for (const stack of new Set(others.map(({ id }) => stacks.get(id)))) {
    const its = others.filter(({ id }) => stacks.get(id) === stack);
    const which = its.map(({ kind, id, name }) => describe({ noun: kind }, { id, name })).join(", ");
    tell(
      stack === undefined
        ? `podlumi: left out, with the mark of a stack of podlumi: ${which}. --marked takes them`
        : `podlumi: left out, in the state of ${stack}: ${which}. Take them out of that state first (\`pulumi state delete\`)` +
            // It takes what every other stack has created, too.
            (its.some(({ mark }) => mark !== undefined) ? ", then --marked takes those of podlumi" : ""),
    );
  }
  return existing.filter((found) => !others.includes(found));
}

/** The stacks of the backend by the ids of the objects in their states. */
async function stacksThatHave(): Promise<ReadonlyMap<string, string>> {
  const { states, unread } = await statesShown();
  if (unread.length > 0)
    tell(
      `podlumi: the state of ${unread.join(", ")} cannot be read. Of what a stack has, only what carries a mark is left out`,
    );
  return new Map(states.flatMap(({ name, holders }) => [...holders.keys()].map((id) => [id, name] as const)));
}

function asJson({ found, declaration }: Declared) {
  const { kind, logicalName, args, readId } = declaration;
  const what = readId === undefined ? { args: described(args) } : { read: true };
  return { kind, name: logicalName, id: found.id, ...what };
}

/** What no response of the service has, so that the program lacks it. */
function untold(declared: readonly Declared[]): string[] {
  const has = (...kinds: KindName[]) => declared.some(({ found }) => kinds.includes(found.kind));
  if (!has("Pod", "ServerlessEndpoint", "Cluster")) return [];
  return [
    "The service does not return startSsh and startJupyter of a pod or a cluster, and hardly ever templateId of a",
    "pod or an endpoint. What is adopted or imported keeps them. Write them here for objects that are to be created.",
  ];
}

/** Without a name in the program, the resource would get a made-up one, which the object does not have. */
function isNameless({ kind, name }: Found): boolean {
  return name === undefined && kind !== "SshKeys";
}

/** Tells how many of the given values the program has no use for. */
function tellUnused(given: readonly string[], settings: readonly Setting[]): void {
  const unused = given.filter((name) => settings.every((setting) => setting.name !== name));
  if (unused.length === 0) return;
  // Their names stay out: a line of a key that is not in quotes reads as a name, too.
  tell(
    `podlumi: --values has ${counted(unused.length, "name")} that the configuration does not have. A value of several lines needs quotes`,
  );
}

function tellRead(declared: readonly Declared[]): void {
  for (const { found, lacking } of declared) {
    if (lacking.length === 0) continue;
    tell(
      `podlumi: ${found.kind} "${inLine(String(found.name))}" is read and not adopted: --values lacks ${lacking.join(" and ")}`,
    );
  }
}

function tellSettings(settings: readonly Setting[]): void {
  if (settings.length > 0) tell("Set these in the configuration of the stack:");
  for (const { name, use } of settings) tell(`  pulumi config set --secret ${name}  # ${inLine(use)}`);
}

function stackName(text: string): string {
  if (/^[\w.-]+$/.test(text)) return text;
  throw new InvalidArgumentError("It must be the plain name of a stack, such as dev.");
}
