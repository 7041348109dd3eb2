import * as pulumi from "@pulumi/pulumi";
import type { Shape } from "../provider/core/kind/shape";
import type { KindName } from "../provider/identity";
import { pluginTypeOf, providerOf, secretCopies, typeOf } from "../provider/identity";
import type { Provider } from "./provider";
import { defaultProvider } from "./provider";
import type { Known } from "./service";
import { urnOf } from "./urn";

/** The arguments and the provider that the program gave to a resource. Cost estimates start from them. */
export interface Declaration {
  readonly args: Readonly<Record<string, unknown>>;
  /** The same as the engine has them, with an id or a reference for each resource. */
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly provider: Provider | undefined;
}

const declarations = new WeakMap<object, Declaration>();

/** Resources by the output that is their `id`. */
const owners = new WeakMap<object, object>();

/** The URNs of resources. */
const urns = new WeakMap<object, () => string | Promise<string>>();

export function declarationOf(resource: object): Declaration {
  return declarations.get(resource) ?? { args: {}, inputs: {}, provider: undefined };
}

/**
 * A resource of either face. As a dynamic resource, its provider is one line of text.
 *
 * The engine keeps that text in the state and evaluates it in a separate process. There, `require` finds
 * `podlumi/provider` in the `node_modules` of the program. So a program loads neither the provider nor its libraries,
 * and nothing is serialized. The text is in every state file, so it must never change.
 */
export abstract class DynamicResource<S> extends pulumi.CustomResource {
  constructor(
    kind: KindName,
    shape: Shape<S>,
    name: string,
    args: object | undefined,
    opts: pulumi.CustomResourceOptions = {},
  ) {
    const isPlugin = (new.target as { face?: Face }).face === "plugin";
    const register = isPlugin ? ofPlugin : ofDynamicProvider;
    // `get` gives no arguments. Without an id, Pulumi would make an object.
    const lookup = opts.id !== undefined || ("id" in opts && args === undefined);
    const whole = lookup ? { ...opts, id: idToRead(kind, name, opts.id) } : opts;
    const uses = new Uses();
    const inputs = lookup ? {} : withIds(definedEntries(args), uses);
    for (const key of shape.secrets ?? []) {
      if (inputs[key] !== undefined) inputs[key] = pulumi.secret(inputs[key]);
    }
    const { type, more, provider, given } = register(kind, opts, name, lookup, inputs);
    const isMade = !lookup && opts.import === undefined && inputs.adopt === undefined;
    const kinds = isMade ? madeWith(given, kind, inputs) : undefined;
    const restore = withoutFrames();
    try {
      super(
        type,
        name,
        {
          ...shape.outputs,
          ...Object.fromEntries((shape.digests ?? []).map((digest) => [digest, undefined])),
          ...inputs,
          ...more,
          ...uses.input(),
          ...(kinds !== undefined && { __kinds: kinds }),
        },
        pulumi.mergeOptions(whole, {
          provider,
          // The type of the other face, so that a stack can move between the two without a change.
          aliases: [{ type: isPlugin ? typeOf(kind) : pluginTypeOf(kind) }],
          additionalSecretOutputs: [
            ...(shape.secrets ?? []),
            ...(lookup ? (shape.secretsWhenRead ?? []) : []),
            ...(shape.digests ?? []),
            ...secretCopies,
          ],
        }),
      );
    } finally {
      restore();
    }
    owners.set(this.id, this);
    urns.set(this, () => urnOf(type, name, opts.parent));
    declarations.set(this, { args: definedEntries(args), inputs, provider: given });
  }
}

/** The id of what a program only reads. Throws for an empty one, as an unset variable gives it. */
function idToRead(kind: KindName, name: string, given: pulumi.Input<unknown>): pulumi.Input<pulumi.ID> {
  const checked = (id: unknown): pulumi.ID => {
    if (typeof id === "string" && id !== "") return id;
    const message = `cannot read the ${kind} "${name}": the id given to it is empty. Is a variable not set? [PODLUMI-INVALID]`;
    throw Object.assign(new pulumi.RunError(message), { stack: message });
  };
  const isLater = typeof given === "object" && given !== null;
  return isLater ? pulumi.output(given).apply(checked) : checked(given);
}

/** The names of the arguments that a program gives to the objects of each kind that it makes, by their provider or their stack. */
const made = new WeakMap<object, Map<KindName, Set<string>>>();

/**
 * Notes what the program makes, and promises all of it: a promise waits until the program does. The provider can ask the service
 * for all kinds at once then. Undefined in unit tests with mocks, which have no stack.
 */
function madeWith(
  provider: Provider | undefined,
  kind: KindName,
  inputs: object,
): Promise<object> | undefined {
  const key = provider ?? pulumi.runtime.getStackResource();
  if (pulumi.runtime.getStackResource() === undefined || key === undefined) return undefined;
  const kinds = made.get(key) ?? new Map<KindName, Set<string>>();
  made.set(key, kinds.set(kind, new Set([...(kinds.get(kind) ?? []), ...Object.keys(inputs)])));
  return Promise.resolve().then(() =>
    Object.fromEntries([...kinds].map(([one, names]) => [one, [...names]])),
  );
}

/**
 * Makes stack traces cheap until the returned function is called. For each output, Pulumi's SDK reads four traces, to
 * debug promises: these get no frames. It reads one more without a limit, which tells the engine the line that declares
 * the resource. For this trace, the SDK expects one constructor between its own and the program, so the frames of this
 * file are left out. Traces of errors that are thrown are read later, so they stay whole.
 */
function withoutFrames(): () => void {
  if (process.env.PULUMI_DEBUG_PROMISE_LEAKS) return () => undefined;
  const { prepareStackTrace } = Error;
  const whole = prepareStackTrace ?? ((error, frames) => [error, ...frames].join("\n    at "));
  Error.prepareStackTrace = (error, frames) =>
    Error.stackTraceLimit === Number.POSITIVE_INFINITY
      ? whole(
          error,
          frames.filter((frame) => frame.getFileName() !== __filename),
        )
      : String(error);
  return () => {
    Error.prepareStackTrace = prepareStackTrace;
  };
}

/** Which provider serves a class: the dynamic one, or the plugin `pulumi-resource-podlumi`. */
export type Face = "dynamic" | "plugin";

/** How a resource is registered with the engine. */
interface Registration {
  readonly type: string;
  /** What the provider needs beside the arguments. */
  readonly more: Record<string, unknown>;
  readonly provider: pulumi.ProviderResource | undefined;
  /** The provider that the program gives. */
  readonly given: Provider | undefined;
}

function ofDynamicProvider(
  kind: KindName,
  opts: pulumi.CustomResourceOptions,
  name: string,
  lookup: boolean,
  inputs: Record<string, unknown>,
): Registration {
  const type = typeOf(kind);
  const given = opts.provider ?? opts.parent?.getProvider(type);
  const provider = given ?? defaultProvider();
  // A mark names the resource and the stack. The engine tells the provider neither, so they are inputs.
  const __urn = urnOf(type, name, opts.parent);
  const whose = lookup ? { __urn } : { __urn, __stack: provider.id };
  // Nor which inputs are secret. In unit tests with mocks, nobody needs that.
  const isMade = !lookup && pulumi.runtime.getStackResource() !== undefined;
  const __secrets = isMade ? namesOfSecrets(inputs) : undefined;
  return {
    type,
    more: { ...whose, __provider: providerOf(kind), ...(__secrets !== undefined && { __secrets }) },
    provider,
    given: given as Provider | undefined,
  };
}

/** Promises the names of the inputs that are secret, or hold something secret; undefined where none of them can be. */
function namesOfSecrets(inputs: Record<string, unknown>): Promise<string[] | undefined> | undefined {
  const names = Object.keys(inputs).filter((name) => mayBeSecret(inputs[name]));
  if (names.length === 0) return undefined;
  const found = Promise.all(names.map((name) => isSecretInput(inputs[name])));
  return found.then(
    (secret) => (secret.some(Boolean) ? names.filter((_name, index) => secret[index]) : undefined),
    // The input itself fails as well, and tells why.
    () => undefined,
  );
}

function isSecretInput(value: unknown): Promise<boolean> {
  return pulumi.isSecret(pulumi.Output.isInstance(value) ? value : pulumi.output(value));
}

/** Whether a value is an output, or has one inside. Instances of other classes can hold themselves. */
function mayBeSecret(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return true;
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && Object.values(value).some(mayBeSecret);
}

function ofPlugin(kind: KindName, opts: pulumi.CustomResourceOptions): Registration {
  const type = pluginTypeOf(kind);
  const given = opts.provider ?? opts.parent?.getProvider(type);
  return { type, more: {}, provider: opts.provider, given: given as Provider | undefined };
}

/** The state of a resource as a program sees it: outputs with the documentation of the state. */
export type Outputs<S> = { readonly [Name in keyof S]: pulumi.Output<S[Name]> };

/**
 * The base class of all podlumi resources: a {@link DynamicResource} with typed outputs. The constructor makes the
 * outputs. It is written this way because the TypeScript 3.8 that Pulumi brings has to understand it.
 */
export const Resource = DynamicResource as unknown as new <S>(
  kind: KindName,
  shape: Shape<S>,
  name: string,
  args: object | undefined,
  opts?: pulumi.CustomResourceOptions,
) => DynamicResource<S> & Outputs<S>;

/**
 * The URNs of resources by the path of their id in the arguments: a preview does not know the id of a new resource, but it knows what
 * the program declares of it.
 */
class Uses {
  readonly urns: Record<string, unknown> = {};
  private readonly later: Promise<unknown>[] = [];

  /** Waits for what may hold more of them. What fails there fails as an argument, too. */
  awaits(value: Promise<unknown>): void {
    this.later.push(value.catch(() => undefined));
  }

  input(): { __uses?: unknown } {
    if (this.later.length > 0) return { __uses: this.all() };
    return Object.keys(this.urns).length > 0 ? { __uses: this.urns } : {};
  }

  private async all(): Promise<object | undefined> {
    // The list grows meanwhile: an output can hold another one.
    for (const one of this.later) await one;
    return Object.keys(this.urns).length > 0 ? this.urns : undefined;
  }
}

/** The arguments, in which each resource of podlumi is replaced by its id, and a secret in `env` by its reference. */
function withIds(
  values: Record<string, unknown>,
  uses: Uses,
  path = "",
  inEnv = false,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      idOf(value, uses, path === "" ? name : `${path}.${name}`, inEnv || name === "env"),
    ]),
  );
}

function idOf(value: unknown, uses: Uses, path: string, inEnv: boolean): unknown {
  if (Array.isArray(value)) return value.map((item, index) => idOf(item, uses, `${path}[${index}]`, inEnv));
  if (typeof value !== "object" || value === null) return value;
  const resource = declarations.has(value) ? value : owners.get(value);
  if (resource !== undefined) {
    const { id, reference } = resource as { id: unknown; reference?: unknown };
    if (inEnv) return value === resource ? reference || id : value;
    uses.urns[path] = urns.get(resource)?.();
    return id;
  }
  const replaced = (known: unknown) => idOf(known, uses, path, inEnv);
  // `pulumi.output` would make the whole unknown where a part is.
  if (pulumi.Output.isInstance(value)) {
    const ids: unknown = value.apply(replaced);
    if (!inEnv) uses.awaits((ids as Known).isKnown);
    return ids;
  }
  if (value instanceof Promise) {
    const ids = value.then(replaced);
    if (!inEnv) uses.awaits(ids);
    return ids;
  }
  // Instances of classes stay as they are.
  const isPlain = Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? withIds(value as Record<string, unknown>, uses, path, inEnv) : value;
}

function definedEntries(args: object | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args ?? {}).filter(([, value]) => value !== undefined));
}
