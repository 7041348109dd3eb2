import { isRecord, type Properties } from "../../../provider/core/value";
import type { Kind } from "../../resource";
import { type Declaration, Program } from "../program/program";
import { argumentsOf } from "./arguments";
import type { Found } from "./observe";

/** An object and how the program declares it. */
export interface Declared {
  readonly found: Found;
  readonly declaration: Declaration;
}

/** What the service never answers, and the program takes from its configuration. */
const untold: { readonly [kind in Kind]?: readonly string[] } = {
  Secret: ["value"],
  RegistryAuth: ["username", "password"],
};

/** How a program is to be made. */
export interface Making {
  /** What the service never answers, as far as it is known, by the name that it has in the configuration. */
  readonly values: Readonly<Record<string, string | undefined>>;
  /** Whether an object is only read when something of it is not known: a state cannot be made up without. */
  readonly known: boolean;
  /** Whether the program says of each object that it takes it over. */
  readonly adopt: boolean;
}

/** The program that declares what was found. */
export function programOf(
  all: readonly Found[],
  { values, known, adopt }: Making,
): { program: Program; declared: Declared[]; nameless: Found[] } {
  const program = new Program();
  const declared: Declared[] = [];
  // Pulumi's own name stands for one that is missing, which the object does not have.
  const nameless = all.filter(({ kind, name }) => name === undefined && kind !== "SshKeys");
  const names = logicalNames(all);
  for (const found of all.filter((one) => !nameless.includes(one))) {
    const { kind, id, name } = found;
    const logicalName = names.get(found) ?? id;
    const { name: _name, ...rest } = argumentsOf(kind, found.observed);
    const named = name === undefined || name === logicalName ? rest : { name, ...rest };
    const secrets = (untold[kind] ?? []).map((key) => {
      const setting = kind === "Secret" ? String(name) : `${logicalName} ${key}`;
      return {
        key,
        setting,
        use: `${key} of ${kind} "${logicalName}"`,
        value: values[program.settingName(setting)],
      };
    });
    const isRead = known && secrets.some(({ value }) => value === undefined);
    const own = isRead
      ? []
      : secrets.map(({ key, setting, use, value }) => [key, program.secret([setting], use, value)]);
    const linked = links(program, declared, named);
    const args = {
      ...(adopt && kind !== "SshKeys" && { adopt: id }),
      ...program.withoutSecrets(kind, logicalName, linked),
      ...Object.fromEntries(own),
    };
    const declaration = { kind, logicalName, args, ...(isRead && { readId: id }) };
    program.declare(declaration);
    declared.push({ found, declaration });
  }
  return { program, declared, nameless };
}

/** The object's name where no other object of the kind has it, else its name and its id. */
function logicalNames(all: readonly Found[]): Map<Found, string> {
  const entries = all.map((found): [Found, string] => {
    const { kind, id, name } = found;
    const shared = all.some((other) => other !== found && other.kind === kind && other.name === name);
    // Pulumi separates the parts of its URNs so.
    const plain = (name ?? id).replaceAll("::", "-");
    return [found, shared ? `${plain}-${id}` : plain];
  });
  return new Map(entries);
}

/** The arguments with ids and names of what is declared as references to it. */
function links(program: Program, declared: readonly Declared[], args: Properties): Properties {
  const to = (kind: Kind, property: string, value: unknown, matches: (found: Found) => boolean) => {
    const target = declared.find(({ found }) => found.kind === kind && matches(found));
    if (target === undefined) return value;
    return program.reference(kind, target.declaration.logicalName, property, value);
  };
  const byId = (kind: Kind, id: unknown) => to(kind, "id", id, (found) => found.id === id);
  const { registry, templateId, networkVolumes, mounts, env } = args;
  return {
    ...args,
    ...(registry !== undefined && { registry: byId("RegistryAuth", registry) }),
    ...(templateId !== undefined && { templateId: byId("Template", templateId) }),
    ...(Array.isArray(networkVolumes) && {
      networkVolumes: networkVolumes.map((id) => byId("NetworkVolume", id)),
    }),
    ...(isRecord(mounts) &&
      Array.isArray(mounts.network) && {
        mounts: {
          ...mounts,
          network: mounts.network.map((mount) => ({
            ...mount,
            volumeId: byId("NetworkVolume", mount.volumeId),
          })),
        },
      }),
    ...(isRecord(env) && {
      env: Object.fromEntries(
        Object.entries(env).map(([key, value]) => [
          key,
          to("Secret", "reference", value, ({ name }) => value === `{{ RUNPOD_SECRET_${name} }}`),
        ]),
      ),
    }),
  };
}
