import { withCode } from "../codes";
import { configOf } from "../config";
import { existingOf } from "../core/call";
import type { Run } from "../core/call/run";
import { differences, replacing } from "../core/compare/diff";
import { type Handler, handler } from "../core/handler";
import type { Autonaming } from "../core/names/autonaming";
import { declaration, isDeclared } from "../core/state/declared";
import { isImported } from "../core/state/internals";
import { secretsInput } from "../core/state/secret-outputs";
import { holdsSecret, unwrapped } from "../core/state/secret-value";
import { explaining } from "../core/telling";
import { argumentsOfFound, isReadAgain } from "../core/verbs/get";
import { didYouMean } from "../did-you-mean";
import { kindOfType, partsOfUrn } from "../identity";
import { definitions } from "../resources";
import { knownOf, type Properties, without } from "../value";
import { notInPlace, servesAnother } from "../words/plugin";
import { withUnseen } from "./imported";
import { invoke } from "./invoke";
import type { changeIn, existingIn } from "./messages";
import { changedPaths, type DetailedDifference } from "./paths";
import { plannedOutputs } from "./planned-outputs";
import { isMoreSecret, Secrets } from "./secrets";

/** Keys that podlumi adds to the inputs for the core. The engine gets the inputs without them. */
const added = ["__urn", "__providerId", "__provider"];

type ResourceRequest = ReturnType<typeof existingIn>;
type ChangeRequest = ReturnType<typeof changeIn>;

interface Execution {
  readonly preview: boolean;
  /** Seconds at most. */
  readonly timeout?: number | undefined;
}

/** An object with its outputs. The id is empty in a preview. */
interface MadeObject {
  readonly id: string;
  readonly properties: Properties;
}

/** With the inputs that declare the object. */
interface ReadObject extends MadeObject {
  readonly inputs: Properties;
}

/** A kind, as the plugin serves it. */
interface Served {
  readonly handler: Handler;
  readonly secrets: Secrets;
}

/**
 * The engine's requests, as verbs of the core. Each method adds URN and provider, unwraps the secrets, calls one verb, and wraps the
 * secrets of the response. It decides only about things of the plugin: imports, `pulumi do`, values that became secret.
 */
export class Face {
  private readonly kinds: ReadonlyMap<string, Served>;
  /** The id of the provider resource, by which marks tell stacks apart. */
  private providerId: string | undefined;
  private isConfigured = false;

  constructor(private readonly run: Run) {
    this.kinds = new Map(
      Object.entries(definitions).map(([name, definition]) => {
        const secrets = new Secrets(definition.outputs.shape);
        return [name, { handler: handler(definition, run), secrets }];
      }),
    );
  }

  /**
   * `id` is that of the provider resource. The engine starts a process for each, unless it uses one that runs already
   * (`PULUMI_DEBUG_PROVIDERS`), whose knowledge of accounts and states is of an earlier provider and command.
   */
  configure(id: string | undefined, args: Properties): void {
    if (this.isConfigured) throw new Error(withCode(servesAnother, "PODLUMI-CONFIGURATION"));
    this.isConfigured = true;
    this.providerId = id;
    const config = configOf(unwrapped(args));
    this.run.configure((key) => config[key]);
  }

  async check(urn: string, olds: Properties | undefined, news: Properties, naming?: Autonaming) {
    const { handler, secrets } = this.of(urn);
    if (naming !== undefined) this.run.record(urn).autonaming = naming;
    const { inputs, failures = [] } = await secrets.discreetly([news, olds ?? {}], () =>
      handler.check(olds === undefined ? undefined : this.toCore(urn, olds), {
        ...this.toCore(urn, news),
        [secretsInput]: Object.keys(news).filter((name) => holdsSecret(news[name])),
      }),
    );
    return { inputs: secrets.ofInputs(without(added, inputs as Properties), news), failures };
  }

  async diff(change: ChangeRequest): Promise<DetailedDifference> {
    const { urn, id, state, news } = change;
    const { handler, secrets } = this.of(urn);
    const inputs = this.toCore(urn, news);
    const olds = this.stateOf(handler, change, inputs);
    const compare = () => handler.diff(id, olds, inputs);
    const difference = await secrets.discreetly([news, state], compare, id);
    const { fields, replaces = [], deleteBeforeReplace, changes } = difference;
    const declared = declaration(olds);
    const paths = [...fields.keys()].flatMap((name) => [
      ...changedPaths(name, olds[name], inputs[name], handler.kind.fields[name], declared[name]),
    ]);
    return {
      // The state has to encrypt a value that has become a secret.
      changes: changes !== false || isMoreSecret(news, state),
      replaces,
      deleteBeforeReplace: deleteBeforeReplace === true,
      paths: new Map(paths),
    };
  }

  async create(urn: string, news: Properties, { preview, timeout }: Execution): Promise<MadeObject> {
    const { handler, secrets } = this.of(urn);
    const inputs = this.toCore(urn, news);
    if (preview) {
      const planned = plannedOutputs(handler.kind, this.run, inputs);
      return { id: "", properties: secrets.ofOutputs(planned, news) };
    }
    const create = () => handler.create(inputs, timeout);
    const { id, outs } = await secrets.discreetly([news], create);
    return { id, properties: secrets.ofOutputs(outs as Properties, news) };
  }

  async update(change: ChangeRequest, { preview, timeout }: Execution): Promise<Properties> {
    const { urn, id, state, news } = change;
    const { handler, secrets } = this.of(urn);
    const inputs = this.toCore(urn, news);
    const olds = this.stateOf(handler, change, inputs);
    const context = { state: olds, inputs, api: () => this.run.api() };
    const changes = () => differences(handler.kind.fields, context);
    // The engine asks for the difference first, and replaces where it has to. `pulumi do` just asks for an update.
    const isKept = this.run.record(urn).compared?.isReplaced === false;
    const replaces = isKept ? [] : replacing(await changes());
    if (replaces.length > 0)
      throw new Error(withCode(notInPlace(replaces, handler.kind.noun), "PODLUMI-NOT-IN-PLACE"));
    if (preview) {
      const before = { id, olds, changed: await changes() };
      return secrets.ofOutputs(plannedOutputs(handler.kind, this.run, inputs, before), news, state);
    }
    const update = () => handler.update(id, olds, inputs, timeout);
    const { outs } = await secrets.discreetly([news, state], update, id);
    return secrets.ofOutputs((outs ?? {}) as Properties, news, state);
  }

  /** For a refresh, or for a program that only reads (`get`). Undefined when there is no such object. */
  async read({ urn, id, state }: ResourceRequest, inputs: Properties): Promise<ReadObject | undefined> {
    const { handler, secrets } = this.of(urn);
    // A program gives nothing but the id. A refresh reads the object without it, since the program may read it no more.
    const props = without(isReadAgain(state) ? ["__urn"] : [], this.toCore(urn, state));
    const result = await secrets.discreetly([inputs, state], () =>
      handler.read(id, props, unwrapped(inputs)),
    );
    if (result.props === undefined) return undefined;
    const properties = secrets.ofOutputs(result.props as Properties, inputs, state);
    if (!isDeclared(state)) {
      // `pulumi do` changes it by these inputs, and `get` has no use for them.
      const existing = existingOf(handler.kind, this.run, id, { __urn: urn });
      const args = await argumentsOfFound(existing, result.props as Properties);
      return {
        id,
        properties: secrets.ofFound(properties),
        inputs: secrets.ofFound(secrets.ofInputs(args)),
      };
    }
    const observed = without(added, (result.inputs ?? {}) as Properties);
    const read = isImported(unwrapped(state))
      ? withUnseen(handler.kind, observed, unwrapped(inputs))
      : observed;
    // A refresh writes no mark, so the state keeps the URN and the provider of the mark.
    return {
      id,
      properties: { ...properties, ...ownerIn(state) },
      inputs: secrets.ofInputs(read, inputs, state),
    };
  }

  /** For `pulumi import`. */
  async import(urn: string, id: string): Promise<ReadObject> {
    const { handler, secrets } = this.of(urn);
    const result = await handler.import(id, this.toCore(urn, {}));
    // Derived outputs can be unknown, and the response to an import must not have unknown values.
    const properties = secrets.ofOutputs(knownOf(result.props as Properties));
    const inputs = secrets.ofInputs(without(added, (result.inputs ?? {}) as Properties));
    return { id, properties: secrets.ofFound(properties), inputs: secrets.ofFound(inputs) };
  }

  async delete({ urn, id, state }: ResourceRequest, timeout?: number): Promise<void> {
    const { handler, secrets } = this.of(urn);
    const olds = { ...this.toCore(urn, state), ...ownerIn(state) };
    const remove = () => handler.delete(id, olds, timeout);
    await secrets.discreetly([state], remove, id);
  }

  /** All objects of a type in the account. */
  async list(type: string): Promise<{ readonly id: string; readonly name: string }[]> {
    const { kind } = this.ofType(type).handler;
    const what = `could not list ${kind.noun}s`;
    const all = await explaining(what, { kind, urn: undefined }, () => kind.list(this.run.api()));
    if (all === undefined)
      throw new Error(withCode(`the service does not list its ${kind.noun}s`, "PODLUMI-INVALID"));
    return all.map(({ id, name }) => ({ id, name: typeof name === "string" ? name : "" }));
  }

  /** For a function that a program calls. */
  invoke(token: string, args: Properties): Promise<Properties> {
    return invoke(this.run, token, args);
  }

  private of(urn: string): Served {
    return this.ofType(partsOfUrn(urn).type);
  }

  private ofType(type: string): Served {
    const kindName = String(kindOfType(type));
    const served = this.kinds.get(kindName);
    if (served !== undefined) return served;
    const similar = didYouMean(kindName, [...this.kinds.keys()]);
    throw new Error(
      withCode(`podlumi has no resource of the type ${type}${similar}`, "PODLUMI-UNKNOWN-TYPE"),
    );
  }

  private toCore(urn: string, properties: Properties): Properties {
    return {
      ...without(["__provider"], unwrapped(properties)),
      __urn: urn,
      ...(this.providerId !== undefined && { __providerId: this.providerId }),
    };
  }

  /** After an import, the program's first value of a write-only field counts as the present one, and the old inputs show a later change. */
  private stateOf({ kind }: Handler, { urn, state, oldInputs }: ChangeRequest, news: Properties): Properties {
    const olds = { ...this.toCore(urn, state), ...ownerIn(state) };
    if (!isImported(olds)) return olds;
    return withUnseen(kind, withUnseen(kind, olds, unwrapped(oldInputs)), news);
  }
}

/** The URN and the provider in a state differ from the present ones after a rename, a move, or a change of the face. */
function ownerIn(state: Properties): Properties {
  const { __urn, __providerId } = unwrapped(state);
  return { ...(__urn !== undefined && { __urn }), ...(__providerId !== undefined && { __providerId }) };
}
