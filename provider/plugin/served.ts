import { withCode } from "../codes";
import { existingOf } from "../core/call";
import type { Run } from "../core/call/run";
import { differences, replacing } from "../core/compare/diff";
import { type Handler, handler } from "../core/handler";
import type { Kind } from "../core/kind";
import { declaration, isDeclared, isReadAgain } from "../core/state/declared";
import { isImported, only } from "../core/state/internals";
import { holdsSecret, unwrapped } from "../core/state/secret-value";
import { secretsInput } from "../core/state/secrets";
import { explaining } from "../core/telling";
import { argumentsOfFound } from "../core/verbs/import";
import { defined, isEmpty, knownOf, type Properties, without } from "../value";
import { notInPlace } from "../words/plugin";
import { withUnseen } from "./imported";
import { type Checked, namingOf, type ObjectRequest, type ResourceRequest } from "./messages";
import { changedPaths, type DetailedDifference } from "./paths";
import { plannedOutputs } from "./planned-outputs";
import { isMoreSecret, Secrets } from "./secrets";

/** Keys that podlumi adds to the inputs for the core. The engine gets the inputs without them. */
const added = ["__urn", "__providerId", "__provider"];

/** An object with its outputs, and the inputs that declare it. */
interface ReadObject {
  readonly id: string;
  readonly properties: Properties;
  readonly inputs: Properties;
}

/**
 * A kind, as the plugin serves it. Each method adds URN and provider, unwraps the secrets, calls one verb, and wraps the secrets of the
 * response. It decides only about things of the plugin: imports, `pulumi do`, values that became secret.
 */
export class Served {
  private readonly handler: Handler;
  private readonly secrets: Secrets;

  constructor(
    kind: Kind,
    private readonly run: Run,
    private readonly providerId: () => string | undefined,
  ) {
    this.handler = handler(kind, run);
    this.secrets = new Secrets(kind.outputs.shape);
  }

  async check(request: ResourceRequest): Promise<Checked> {
    const { urn, olds = {}, news = {} } = request;
    const naming = namingOf(request);
    if (naming !== undefined) this.run.record(urn).autonaming = naming;
    const { inputs, failures = [] } = await this.secrets.discreetly([news, olds], () =>
      this.handler.check(isEmpty(olds) ? undefined : this.toCore(urn, olds), {
        ...this.toCore(urn, news),
        [secretsInput]: Object.keys(news).filter((name) => holdsSecret(news[name])),
      }),
    );
    return { inputs: this.secrets.ofInputs(without(added, inputs as Properties), news), failures };
  }

  async diff(request: ObjectRequest): Promise<DetailedDifference> {
    const { urn, id, olds: state = {}, news = {} } = request;
    const inputs = this.toCore(urn, news);
    const olds = this.stateIn(request, inputs);
    const compare = () => this.handler.diff(id, olds, inputs);
    const difference = await this.secrets.discreetly([news, state], compare, id);
    const { fields, replaces = [], deleteBeforeReplace, changes } = difference;
    const declared = declaration(olds);
    const paths = [...fields.keys()].flatMap((name) => [
      ...changedPaths(name, olds[name], inputs[name], this.handler.kind.fields[name], declared[name]),
    ]);
    return {
      // The state has to encrypt a value that has become a secret.
      changes: changes !== false || isMoreSecret(news, state),
      replaces,
      deleteBeforeReplace: deleteBeforeReplace === true,
      paths: new Map(paths),
    };
  }

  /** The id is empty in a preview. */
  async create({ urn, properties: news = {}, preview, timeout }: ResourceRequest) {
    const { handler, secrets } = this;
    const inputs = this.toCore(urn, news);
    if (preview) {
      const planned = plannedOutputs(handler.kind, this.run, inputs);
      return { id: "", properties: secrets.ofOutputs(planned, news) };
    }
    const create = () => handler.create(inputs, timeout || undefined);
    const { id, outs } = await secrets.discreetly([news], create);
    return { id, properties: secrets.ofOutputs(outs as Properties, news) };
  }

  /** The outputs. */
  async update(request: ObjectRequest): Promise<Properties> {
    const { urn, id, olds: state = {}, news = {}, preview, timeout } = request;
    const { handler, secrets, run } = this;
    const { kind } = handler;
    const inputs = this.toCore(urn, news);
    const olds = this.stateIn(request, inputs);
    const context = { state: olds, inputs, api: () => run.api() };
    const changes = () => differences(kind.fields, context);
    // The engine asks for the difference first, and replaces where it has to. `pulumi do` just asks for an update.
    const isKept = run.record(urn).compared?.isReplaced === false;
    const replaces = isKept ? [] : replacing(await changes());
    if (replaces.length > 0)
      throw new Error(withCode(notInPlace(replaces, kind.noun), "PODLUMI-NOT-IN-PLACE"));
    if (preview) {
      const before = { id, olds, changed: await changes() };
      return secrets.ofOutputs(plannedOutputs(kind, run, inputs, before), news, state);
    }
    const update = () => handler.update(id, olds, inputs, timeout || undefined);
    const { outs } = await secrets.discreetly([news, state], update, id);
    return secrets.ofOutputs((outs ?? {}) as Properties, news, state);
  }

  /** For a refresh, or for a program that only reads (`get`). Undefined when there is no such object. */
  async read(request: ObjectRequest): Promise<ReadObject | undefined> {
    const { urn, id, properties: state = {}, inputs = {} } = request;
    const { handler, secrets } = this;
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
      return this.found(id, properties, args);
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
  async import({ urn, id }: ObjectRequest): Promise<ReadObject> {
    const result = await this.handler.import(id, this.toCore(urn, {}));
    // Derived outputs can be unknown, and the response to an import must not have unknown values.
    const properties = this.secrets.ofOutputs(knownOf(result.props as Properties));
    return this.found(id, properties, without(added, (result.inputs ?? {}) as Properties));
  }

  async delete({ urn, id, properties: state = {}, timeout }: ObjectRequest): Promise<void> {
    const olds = { ...this.toCore(urn, state), ...ownerIn(state) };
    const remove = () => this.handler.delete(id, olds, timeout || undefined);
    await this.secrets.discreetly([state], remove, id);
  }

  /** All objects of the kind in the account. */
  async list(): Promise<{ id: string; name: string }[]> {
    const { kind } = this.handler;
    const what = `could not list ${kind.noun}s`;
    const all = await explaining(what, { kind }, () => kind.list(this.run.api()));
    if (all === undefined)
      throw new Error(withCode(`the service does not list its ${kind.noun}s`, "PODLUMI-INVALID"));
    return all.map(({ id, name }) => ({ id, name: typeof name === "string" ? name : "" }));
  }

  private toCore(urn: string, properties: Properties): Properties {
    const owner = defined({ __urn: urn, __providerId: this.providerId() });
    return { ...without(["__provider"], unwrapped(properties)), ...owner };
  }

  /** After an import, the program's first value of a write-only field counts as the present one, and the old inputs show a later change. */
  private stateIn({ urn, olds: state = {}, oldInputs = {} }: ObjectRequest, news: Properties): Properties {
    const { kind } = this.handler;
    const olds = { ...this.toCore(urn, state), ...ownerIn(state) };
    if (!isImported(olds)) return olds;
    return withUnseen(kind, withUnseen(kind, olds, unwrapped(oldInputs)), news);
  }

  /** An object that no program declares. */
  private found(id: string, properties: Properties, inputs: Properties): ReadObject {
    const { secrets } = this;
    const wrapped = secrets.ofInputs(inputs);
    return { id, properties: secrets.ofFound(properties), inputs: secrets.ofFound(wrapped) };
  }
}

/** The URN and the provider in a state differ from the present ones after a rename, a move, or a change of the face. */
function ownerIn(state: Properties): Properties {
  return only(["__urn", "__providerId"], unwrapped(state));
}
