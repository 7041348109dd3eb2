import { resolve } from "node:path";
import { inLine } from "../../../provider/mask";
import { counted, tell } from "../output";
import type { Setting } from "../program/program";
import type { Declared } from "./account-program";
import type { Options } from "./options";

/** Tells the user of a program what is left to do. `values` are the names in --values. */
export function tellNextSteps(
  options: Options,
  declared: readonly Declared[],
  settings: readonly Setting[],
  values: readonly string[],
): void {
  tellUnused(values, settings);
  tellRead(declared);
  tellSettings(settings);
  if (options.out !== undefined) tell(`podlumi: ${counted(declared.length, "resource")} in ${options.out}`);
  if (declared.length > 0 && !options.json) tell(`podlumi: ${nextStep(options)}`);
}

function tellUnused(values: readonly string[], settings: readonly Setting[]): void {
  const unused = values.filter((name) => settings.every((setting) => setting.name !== name));
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

function firstSteps({ out, language, import: file, stack }: Options): string {
  if (out === undefined) return "";
  const install = { typescript: "`npm install` and ", python: "`pulumi install` and ", yaml: "" };
  const name = file === undefined ? "" : ` ${stack}`;
  return `run ${install[language]}\`pulumi stack init${name}\` in ${out} first. `;
}
