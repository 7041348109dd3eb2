import type { KindName } from "../../../provider/resources";
import { isRecord, mapped, type Properties } from "../../../provider/value";
import { camelCase, type Declaration, Expression, type Language, Names } from "./language";
import { python } from "./python";
import { looksSecret } from "./secrets";
import { typescript } from "./typescript";
import { yaml } from "./yaml";

export type { Declaration } from "./language";

/** The languages in which a program can be written. */
export const languages = { typescript, python, yaml } as const;
export type LanguageName = keyof typeof languages;

/** A secret that the program takes from its configuration. */
export interface Setting {
  readonly name: string;
  /** Its use: `HF_TOKEN of Pod "trainer"`. */
  readonly use: string;
}

/** Builds a Pulumi program. */
export class Program {
  readonly settings: Setting[] = [];
  /** The declared resources with their variables. */
  private readonly declared = new Map<Declaration, string>();
  private readonly logicalNames = new Map<KindName, Names>();
  private readonly variables: Names;
  private readonly keys: Names;
  private readonly referred = new Set<Declaration>();
  private readonly secrets = new Map<string, Expression>();

  constructor(private readonly language: Language = typescript) {
    this.variables = new Names(language.reserved);
    this.keys = language.oneScope ? this.variables : new Names(typescript.reserved);
  }

  /** A logical name that no other resource of the kind has: the first one that is free, or the last one with a number. */
  logicalName(kind: KindName, ...suggestions: string[]): string {
    const names = this.logicalNames.get(kind) ?? new Names([], "-");
    this.logicalNames.set(kind, names);
    return names.take(...suggestions);
  }

  declare(declaration: Declaration): void {
    const { kind, logicalName } = declaration;
    const { variable } = this.language;
    this.declared.set(declaration, this.variables.take(variable(logicalName), variable(logicalName, kind)));
  }

  /** A reference to a property of a declared resource: `template.id`. */
  reference(declaration: Declaration, property: string, value: unknown): Expression {
    this.referred.add(declaration);
    return new Expression(`${this.declared.get(declaration)}.${property}`, value);
  }

  /** The configuration name that the next call of `secret` with this name will use. */
  settingName(name: string): string {
    return this.keys.free(camelCase(name));
  }

  /** A secret from the configuration. The same value under the same name is one secret. */
  secret(names: readonly string[], use: string, value: unknown): Expression {
    const identity = JSON.stringify([names.at(-1), value]);
    const known = value === undefined ? undefined : this.secrets.get(identity);
    if (known !== undefined) return known;
    const name = this.keys.take(camelCase(names.at(-1) ?? ""), camelCase(...names));
    const expression = new Expression(this.language.secret(name), value, true);
    this.settings.push({ name, use });
    this.secrets.set(identity, expression);
    return expression;
  }

  /** The same arguments, but values that look secret come from the configuration. */
  withoutSecrets(kind: KindName, logicalName: string, args: Properties): Properties {
    const hidden = (name: string, value: unknown, text = value) =>
      typeof value === "string" && looksSecret(name, String(text))
        ? this.secret([logicalName, name], `${name} of ${kind} "${logicalName}"`, value)
        : value;
    const words = (name: "entrypoint" | "cmd") => {
      const { [name]: all } = args;
      if (!Array.isArray(all)) return {};
      // `--token abc` may be two words.
      const withOption = (word: unknown, before: unknown) =>
        /^--?[\w.-]+$/.test(String(before)) ? `${before} ${word}` : word;
      return { [name]: all.map((word, index) => hidden(name, word, withOption(word, all[index - 1]))) };
    };
    const { env } = args;
    return {
      ...args,
      ...("args" in args && { args: hidden("args", args.args) }),
      ...words("entrypoint"),
      ...words("cmd"),
      ...(isRecord(env) && { env: mapped(env, (value, name) => hidden(name, value)) }),
    };
  }

  /** The source of the program, with a comment above its resources. `project` is for a language whose program is Pulumi.yaml. */
  source(comment: readonly string[] = [], project = "runpod"): string {
    const { oneScope, head, statement } = this.language;
    const statements = [...this.declared].map(([declaration, variable]) =>
      statement(declaration, oneScope || this.referred.has(declaration) ? variable : undefined),
    );
    const settings = this.settings.map(({ name }) => name);
    return [
      ...head(settings, project, statements.length > 0),
      ...(comment.length > 0 ? ["", ...comment.map((line) => this.language.comment(line))] : []),
      ...statements.flatMap((statement) => ["", statement]),
      "",
    ].join("\n");
  }
}

/** The arguments with the code of each expression, and none of their values. */
export const described = (args: unknown) => replaced(args, ({ code }) => ({ expression: code }));

/** The arguments with the present value of each expression. */
export const evaluated = (args: unknown) => replaced(args, ({ value }) => value);

function replaced(value: unknown, by: (expression: Expression) => unknown): unknown {
  if (value instanceof Expression) return by(value);
  if (Array.isArray(value)) return value.map((item) => replaced(item, by));
  if (!isRecord(value)) return value;
  return mapped(value, (item) => replaced(item, by));
}

/** Applies `mark` to every part of a value for which `args` has a secret expression. */
export function marked(value: unknown, args: unknown, mark: (secret: unknown) => unknown): unknown {
  if (args instanceof Expression) return args.secret ? mark(value) : value;
  if (Array.isArray(value) && Array.isArray(args))
    return value.map((item, index) => marked(item, args[index], mark));
  if (!isRecord(value) || !isRecord(args)) return value;
  return mapped(value, (item, key) => marked(item, args[key], mark));
}
