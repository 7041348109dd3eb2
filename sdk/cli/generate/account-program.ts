import { logicalNameIn } from "../../../provider/core/mark/mark";
import { argumentsOf } from "../../../provider/core/state/arguments-of";
import type { Properties } from "../../../provider/value";
import { definitionOf } from "../kinds";
import type { Language } from "../program/language";
import { type Declaration, Program } from "../program/program";
import { linked } from "./links";
import type { Found } from "./observe";

/** An object and how the program declares it. */
export interface Declared {
  readonly found: Found;
  readonly declaration: Declaration;
  /** The names of the values that are not known, so that the program only reads the object. */
  readonly lacking: readonly string[];
}

/** The values that the service never returns. The program takes them from its configuration. */
function secretsOf({ kind }: Found, logicalName: string) {
  const secret = (key: string, setting: string) => ({
    key,
    setting,
    use: `${key} of ${kind} "${logicalName}"`,
  });
  if (kind === "Secret") return [secret("value", logicalName)];
  if (kind !== "RegistryAuth") return [];
  return ["username", "password"].map((key) => secret(key, `${logicalName} ${key}`));
}

/** Options for making a program. */
export interface Making {
  readonly language?: Language;
  /** Known values that the service never returns, by their names in the configuration. */
  readonly values: ReadonlyMap<string, string | undefined>;
  /** An object with an unknown value is only read. An import file needs all values. */
  readonly known: boolean;
  /** The resources get the argument `adopt`. */
  readonly adopt: boolean;
}

/** The program that declares what was found. */
export function programOf(
  all: readonly Found[],
  { language, values, known, adopt }: Making,
): { program: Program; declared: Declared[] } {
  const program = new Program(language);
  const declared: Declared[] = [];
  for (const found of all) {
    const { kind, id, name = id } = found;
    const isShared = all.some((other) => other !== found && other.kind === kind && other.name === found.name);
    // Such a name stays out of the program: a copy must not carry the mark in it. An import keeps it, and an adoption by itself.
    const madeUpFrom = found.mark && logicalNameIn(name, found.mark);
    const suggestions = isShared ? [] : [madeUpFrom ?? name, name];
    const logicalName = program.logicalName(kind, ...suggestions, `${name}-${id}`);
    const secrets = secretsOf(found, logicalName);
    const given = (setting: string) => values.get(program.settingName(setting));
    const missing = secrets.filter(({ setting }) => given(setting) === undefined);
    const lacking = known ? missing.map(({ setting }) => program.settingName(setting)) : [];
    const isRead = lacking.length > 0;
    const { name: _name, ...rest } = argumentsOf(definitionOf(kind), found.observed);
    const args: Properties = {
      ...(adopt && kind !== "SshKeys" && { adopt: id }),
      ...(found.name !== undefined && madeUpFrom === undefined && name !== logicalName && { name }),
      ...program.withoutSecrets(kind, logicalName, linked(rest, program, declared)),
    };
    for (const { key, setting, use } of isRead ? [] : secrets)
      args[key] = program.secret([setting], use, given(setting));
    const declaration = { kind, logicalName, args, ...(isRead && { readId: id }) };
    program.declare(declaration);
    declared.push({ found, declaration, lacking });
  }
  return { program, declared };
}
