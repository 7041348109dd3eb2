import type { CheckFailure } from "@pulumi/pulumi/dynamic";
import { withCode } from "../codes";
import { configOf, unknownArguments } from "../config";
import { inBrackets } from "../core/check";
import { type Differences, declaration, differences, namesOf } from "../core/diff";
import { type Handler, handler } from "../core/handler";
import type { Naming } from "../core/naming";
import { previewOf } from "../core/preview";
import type { Run } from "../core/run";
import { explaining } from "../core/telling";
import { isUnknown, type Properties } from "../core/value";
import { argumentsOfFound } from "../core/verbs/read";
import { didYouMean } from "../did-you-mean";
import { type KindName, kindOfType, partsOfUrn } from "../identity";
import { definitions, shapes } from "../resources";
import { invoke } from "./invoke";
import { changedPaths, type PathChange } from "./paths";
import { holdsSecret, isMoreSecret, isSecret, maskOf, secretLike, unwrapped, withSecrets } from "./values";

/** What podlumi itself adds to the inputs of its verbs. The engine tells it with each request. */
const added = ["__urn", "__stack", "__provider"];

/** Copies of inputs that podlumi keeps in the state. They are secret as a whole, since any input can be. */
const secretCopies = ["__asked", "__unanswered"];

/** What differs, as the engine shows it. */
export interface DetailedDifference {
  readonly changes: boolean;
  /** Properties whose change replaces the object. */
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  readonly paths: ReadonlyMap<string, PathChange>;
}

/** An object with its outputs, and with the inputs that declare it where they are asked for. */
export interface ReadObject {
  readonly id: string;
  readonly properties: Properties;
  readonly inputs: Properties;
}

/**
 * The plugin's way to the verbs of the core. It turns the engine's requests into theirs: tells whose a resource is, unwraps
 * secrets and wraps them again. All decisions are the core's.
 */
export class Face {
  private readonly handlers: Record<string, Handler>;
  /** The id of the provider resource, by which marks tell stacks apart. */
  private providerId: string | undefined;
  /** URNs of what this process has read for an import. */
  private readonly imported = new Set<string>();

  constructor(private readonly run: Run) {
    run.urnsAreCurrent = true;
    this.handlers = Object.fromEntries(
      Object.entries(definitions).map(([name, definition]) => [name, handler(definition, run)]),
    );
  }

  /** What is wrong with the inputs of a provider. */
  checkConfig(news: Properties): { inputs: Properties; failures: CheckFailure[] } {
    const failures = unknownArguments(Object.keys(news)).map((reason) => ({
      property: "",
      reason: withCode(reason, "PODLUMI-CONFIGURATION"),
    }));
    // The key is a secret also where the configuration has it in plain text.
    return { inputs: withSecrets(news, ["apiKey"]), failures };
  }

  /** `id` is that of the provider resource, by which a stack knows what it made. */
  configure(id: string | undefined, given: Properties): void {
    this.providerId = id;
    const config = configOf(unwrapped(given));
    this.run.configure((key) => config[key]);
  }

  async check(urn: string, olds: Properties | undefined, news: Properties, naming?: Naming) {
    const { handler, kindName } = this.of(urn);
    if (naming !== undefined) this.run.notes(urn).naming = naming;
    const { inputs, failures = [] } = await this.discreetly(kindName, [news, olds ?? {}], () =>
      handler.check(olds === undefined ? undefined : this.toCore(urn, olds), this.toCore(urn, news)),
    );
    const plain = without(added, inputs as Properties);
    const mask = maskOf([news]);
    // `pulumi import` checks what it read. The program will say what the service never answers.
    const mayLack = (name: string) =>
      this.imported.has(urn) && news[name] === undefined && handler.kind.fields[name]?.writeOnly === true;
    const told = failures.filter(({ property }) => !mayLack(property));
    return {
      inputs: this.secretInputs(kindName, plain, news),
      failures: told.map(({ property, reason }) => ({
        property: isSecret(news[property]) ? inBrackets(property) : property,
        reason: mask(reason),
      })),
    };
  }

  async diff(
    urn: string,
    id: string,
    state: Properties,
    oldInputs: Properties,
    news: Properties,
  ): Promise<DetailedDifference> {
    const { handler, kindName } = this.of(urn);
    const inputs = this.toCore(urn, news);
    const olds = this.stateOf(urn, handler, state, oldInputs, inputs);
    const {
      fields,
      replaces = [],
      deleteBeforeReplace,
      changes,
    } = await this.discreetly(kindName, [news, state], () => handler.diff(id, olds, inputs), id);
    const paths = [...fields.keys()].flatMap((name) => [...changedPaths(name, olds[name], inputs[name])]);
    return {
      // What has become a secret has to become one in the state.
      changes: changes !== false || isMoreSecret(news, state),
      replaces,
      deleteBeforeReplace: deleteBeforeReplace === true,
      paths: new Map(paths),
    };
  }

  async create(urn: string, news: Properties, preview: boolean, timeout: number): Promise<ReadObject> {
    const { handler, kindName } = this.of(urn);
    if (preview) {
      const properties = previewOf(handler.kind, outputsOf(kindName), unwrapped(news));
      return { id: "", properties: this.secretOutputs(kindName, properties, news), inputs: {} };
    }
    const { id, outs } = await this.discreetly(kindName, [news], () =>
      handler.create(this.toCore(urn, news), timeout || undefined),
    );
    return { id, properties: this.secretOutputs(kindName, outs as Properties, news), inputs: {} };
  }

  async update(
    urn: string,
    id: string,
    state: Properties,
    oldInputs: Properties,
    news: Properties,
    preview: boolean,
    timeout: number,
  ): Promise<Properties> {
    const { handler, kindName } = this.of(urn);
    const inputs = this.toCore(urn, news);
    const olds = this.stateOf(urn, handler, state, oldInputs, inputs);
    const changes = () => differences(handler.kind.fields, olds, inputs, () => this.run.api());
    // The engine asks for the difference first, and replaces what has to be replaced. `pulumi do` just asks for an update.
    if (this.run.notes(urn).compared === undefined) failIfReplaced(handler, await changes());
    if (preview) {
      const preview = previewOf(handler.kind, outputsOf(kindName), inputs, {
        olds,
        changed: await changes(),
      });
      return this.secretOutputs(kindName, preview, news, state);
    }
    const update = () => handler.update(id, olds, inputs, timeout || undefined);
    const { outs } = await this.discreetly(kindName, [news, state], update, id);
    return this.secretOutputs(kindName, (outs ?? {}) as Properties, news, state);
  }

  /** For a refresh, or for a program that only reads (`get`). Undefined when there is no such object. */
  async read(
    urn: string,
    id: string,
    state: Properties,
    inputs: Properties,
  ): Promise<ReadObject | undefined> {
    const { handler, kindName } = this.of(urn);
    const result = await this.discreetly(kindName, [inputs, state], () =>
      handler.read(id, this.toCore(urn, state)),
    );
    if (result.props === undefined) return undefined;
    const declares = state.__declared !== undefined;
    const seen = this.secretOutputs(kindName, result.props as Properties, inputs, state);
    if (!declares) {
      // What `pulumi do` changes. A program that only reads has no use for it.
      const could = await argumentsOfFound(handler.kind, this.run, id, result.props as Properties);
      const hidden = hiddenWhenRead(kindName);
      return {
        id,
        properties: withSecrets(seen, hidden),
        inputs: withSecrets(this.secretInputs(kindName, could), hidden),
      };
    }
    const read = {
      ...this.neverAnswered(handler, state, inputs),
      ...without(added, (result.inputs ?? {}) as Properties),
    };
    return { id, properties: seen, inputs: this.secretInputs(kindName, read, inputs, state) };
  }

  /** For `pulumi import`. */
  async import(urn: string, id: string): Promise<ReadObject | undefined> {
    const { handler, kindName } = this.of(urn);
    const result = await handler.import(id, this.toCore(urn, {}));
    if (result.props === undefined) return undefined;
    this.imported.add(urn);
    const hidden = hiddenWhenRead(kindName);
    const properties = this.secretOutputs(kindName, withoutUnknown(result.props as Properties));
    const inputs = this.secretInputs(kindName, without(added, (result.inputs ?? {}) as Properties));
    return { id, properties: withSecrets(properties, hidden), inputs: withSecrets(inputs, hidden) };
  }

  /** Inputs of an imported object that the service never answers: a refresh would forget what the program says of them. */
  private neverAnswered({ kind }: Handler, state: Properties, inputs: Properties): Properties {
    if (state.__imported !== true) return {};
    return Object.fromEntries(
      Object.entries(unwrapped(inputs)).filter(([name]) => kind.fields[name]?.writeOnly === true),
    );
  }

  async delete(urn: string, id: string, state: Properties, timeout: number): Promise<void> {
    const { handler, kindName } = this.of(urn);
    const given = timeout > 0 ? { deleteTimeout: timeout } : {};
    const remove = () => handler.delete(id, { ...this.toCore(urn, state), ...given });
    await this.discreetly(kindName, [state], remove, id);
  }

  /** All objects of a type in the account. */
  async list(type: string): Promise<{ readonly id: string; readonly name: string }[]> {
    const { kind } = this.ofType(type).handler;
    const all = await explaining(`could not list ${kind.noun}s`, kind, {}, () => kind.list(this.run.api()));
    if (all === undefined)
      throw new Error(withCode(`the service does not list its ${kind.noun}s`, "PODLUMI-INVALID"));
    return all.map(({ id, name }) => ({ id, name: typeof name === "string" ? name : "" }));
  }

  /** For a function that a program calls. */
  invoke(token: string, args: Properties): Promise<Properties> {
    return invoke(this.run, token, args);
  }

  private of(urn: string): { handler: Handler; kindName: KindName } {
    const { types } = partsOfUrn(urn);
    return this.ofType(types.slice(types.lastIndexOf("$") + 1));
  }

  private ofType(type: string): { handler: Handler; kindName: KindName } {
    const kindName = kindOfType(type) as KindName;
    const handler = this.handlers[kindName];
    if (handler === undefined) {
      const similar = didYouMean(String(kindName), Object.keys(this.handlers));
      throw new Error(
        withCode(`podlumi has no resource of the type ${type}${similar}`, "PODLUMI-UNKNOWN-TYPE"),
      );
    }
    return { handler, kindName };
  }

  private toCore(urn: string, properties: Properties): Properties {
    return {
      ...without(["__provider"], unwrapped(properties)),
      __urn: urn,
      ...(this.providerId !== undefined && { __stack: this.providerId }),
    };
  }

  /**
   * The state as the core compares it. The service never answers some fields. After an import, podlumi takes the program's first
   * value of such a field as the present one, and recognizes a later change by the old inputs.
   */
  private stateOf(
    urn: string,
    { kind }: Handler,
    state: Properties,
    oldInputs: Properties,
    news: Properties,
  ): Properties {
    const olds = { ...this.toCore(urn, state), ...kept(state) };
    if (olds.__imported !== true) return olds;
    const declared = declaration(olds);
    const given = unwrapped(oldInputs);
    for (const [name, { writeOnly }] of Object.entries(kind.fields)) {
      if (writeOnly === true && declared[name] === undefined) olds[name] = given[name] ?? news[name];
    }
    return olds;
  }

  /**
   * Masks secrets in the message of a failure. `unmasked` is an id: the platform repeats it in a variable, and the message
   * needs it. The state that a failure carries has its secrets wrapped.
   */
  private async discreetly<T>(
    kindName: KindName,
    examples: readonly Properties[],
    act: () => Promise<T>,
    unmasked?: string,
  ): Promise<T> {
    try {
      return await act();
    } catch (error) {
      const { message, id, properties, reasons } = error as Partial<VerbError>;
      // The copies name objects, in messages too. Each secret among them has its place elsewhere.
      const secrets = examples.map((example) => without(secretCopies, example));
      const mask = maskOf(secrets, unmasked);
      throw Object.assign(new Error(mask(String(message))), {
        id,
        reasons: reasons?.map(mask),
        ...(properties && { properties: this.secretOutputs(kindName, properties, ...examples) }),
      });
    }
  }

  private secretInputs(
    kindName: KindName,
    inputs: Properties,
    ...examples: readonly Properties[]
  ): Properties {
    return withSecrets(secretLike(inputs, ...examples) as Properties, sensitiveOf(kindName));
  }

  private secretOutputs(
    kindName: KindName,
    outputs: Properties,
    ...examples: readonly Properties[]
  ): Properties {
    const digests = holdsSecret(examples[0]) ? (shapes[kindName].digests ?? []) : [];
    const names = [...sensitiveOf(kindName), ...digests, ...secretCopies];
    return withSecrets(secretLike(without(["__provider"], outputs), ...examples) as Properties, names);
  }
}

/** The URN and the stack that a state has: those of a resource that was renamed, moved, or made by another face. */
function kept(state: Properties): Properties {
  const { __urn, __stack } = unwrapped(state);
  return { ...(__urn !== undefined && { __urn }), ...(__stack !== undefined && { __stack }) };
}

function outputsOf(kindName: KindName): string[] {
  return Object.keys(shapes[kindName].outputs);
}

function sensitiveOf(kindName: KindName): string[] {
  return [...(shapes[kindName].secrets ?? [])];
}

/** Outputs that are secret where no program says which of them are. */
function hiddenWhenRead(kindName: KindName): string[] {
  const { secretsWhenRead = [], digests = [] } = shapes[kindName];
  return [...secretsWhenRead, ...digests];
}

function without(names: readonly string[], properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)));
}

/** An error of a verb: one with an id has left an object that is not ready. */
export interface VerbError extends Error {
  readonly id?: string;
  readonly properties?: Properties;
  readonly reasons?: string[];
}

function failIfReplaced({ kind }: Handler, changed: Differences): void {
  const names = namesOf(changed, "replace");
  if (names.length === 0) return;
  const text =
    `a change of ${names.join(", ")} replaces the ${kind.noun}, and nothing was changed: declare the ${kind.noun} in a ` +
    "program, or delete it and create another one";
  throw new Error(withCode(text, "PODLUMI-NOT-IN-PLACE"));
}

/** Properties without what a preview does not know: an import knows no unknown values. */
function withoutUnknown(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => !isUnknown(value)));
}
