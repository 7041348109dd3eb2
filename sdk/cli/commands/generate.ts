import { parseEnv } from "node:util";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { KindName } from "../../../provider/resources";
import { account } from "../account";
import { contentOf, language } from "../arguments";
import { type Declared, programOf } from "../generate/account-program";
import { importFile } from "../generate/import-file";
import { tellNextSteps } from "../generate/next-steps";
import { type Found, observedIn } from "../generate/observe";
import type { Options } from "../generate/options";
import { withoutOthers } from "../generate/others";
import { mustBeNew, projectName, writePrivately, writeProject } from "../generate/project";
import { inStateOf } from "../generate/state-of-another";
import { below } from "../help";
import { CommandError, print, printJson, tell } from "../output";
import { described, languages } from "../program/program";

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
  failIfWrong(options, command);
  const { out, adopt = false, import: file } = options;
  const values = await valuesIn(options.values);
  const { program, declared } = programOf(await wanted(options), {
    language: languages[options.language],
    values,
    adopt,
    known: file !== undefined,
  });
  if (declared.length === 0 && takesExisting(options) && out !== undefined)
    throw new CommandError("there is nothing to declare, so no project was written");
  if (declared.length === 0) tell("podlumi: there is nothing to declare");
  const source = program.source(untold(declared), out && projectName(out));
  if (options.json) printJson({ resources: declared.map(asJson), config: program.settings });
  else if (out === undefined) print(source.trimEnd());
  else await writeProject(out, projectName(out), options.language, source);
  if (file !== undefined && out !== undefined)
    await writePrivately(file, importFile(declared, options.stack, projectName(out)));
  tellNextSteps(options, declared, program.settings, [...values.keys()]);
}

function failIfWrong(options: Options, command: Command): void {
  const { out, language, import: file, values, marked } = options;
  const isStackGiven = command.getOptionValueSource("stack") === "cli";
  if (file === undefined && (values !== undefined || isStackGiven))
    command.error("error: --values and --stack go with --import");
  if (marked && !takesExisting(options)) command.error("error: --marked goes with --adopt or --import");
  if (file !== undefined && out === undefined)
    command.error("error: --import needs --out, since a state names its project");
  if (file !== undefined && language !== "typescript")
    command.error(
      "error: --import writes the state of the dynamic provider, which only TypeScript has: take --adopt, or `pulumi import`",
    );
  if (out !== undefined) mustBeNew(out, language, file);
}

/** The program takes over what exists, instead of creating more of it. */
function takesExisting({ adopt, import: file }: Options): boolean {
  return adopt === true || file !== undefined;
}

async function valuesIn(file: string | undefined): Promise<ReadonlyMap<string, string | undefined>> {
  return new Map(file === undefined ? [] : Object.entries(parseEnv(await contentOf(file, "--values"))));
}

/** The objects to declare. Tells which are left out. */
async function wanted(options: Options): Promise<readonly Found[]> {
  const present = await observedIn(account(), options.prefix);
  const ofState = options.state === undefined ? present : await inStateOf(options.state, present);
  const all = takesExisting(options) && !options.marked ? await withoutOthers(ofState) : ofState;
  for (const { kind, id } of all.filter(isNameless))
    tell(`podlumi: ${kind} ${id} has no name and is left out`);
  return all.filter((found) => !isNameless(found));
}

function asJson({ found, declaration }: Declared) {
  const { kind, logicalName, args, readId } = declaration;
  const what = readId === undefined ? { args: described(args) } : { read: true };
  return { kind, name: logicalName, id: found.id, ...what };
}

/** A comment for the program about arguments that no response of the service has. */
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

function stackName(text: string): string {
  if (/^[\w.-]+$/.test(text)) return text;
  throw new InvalidArgumentError("It must be the plain name of a stack, such as dev.");
}
