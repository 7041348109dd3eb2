import * as pulumi from "@pulumi/pulumi";
import { pluginTokenOf, secretCopies, typeOf } from "../provider/identity";
import type { ShapeOf } from "../provider/schema/shape";
import type { Face } from "./given-provider";
import { givenProvider } from "./given-provider";
import { forCreate, forDynamicProvider } from "./hidden-inputs";
import { misspeltIn, withArgumentsIgnored } from "./ignore-changes";
import { fillIn, stateOnly } from "./previewed";
import type { Provider } from "./provider";
import { defaultProvider, handedOnAs } from "./provider";
import { noteResource, Uses, withIds } from "./references";
import { plainError, withoutOwnConstructors } from "./stack-traces";
import { urnOf } from "./urn";

/** The arguments and the provider that the program gave to a resource. Cost estimates start from them. */
export interface Declaration {
  readonly args: Readonly<Record<string, unknown>>;
  /** The same as the engine has them, with an id or a reference for each resource. */
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly provider: Provider | undefined;
}

const declarations = new WeakMap<object, Declaration>();

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
export abstract class PodlumiResource<S> extends pulumi.CustomResource {
  constructor(
    kind: string,
    shape: ShapeOf<S>,
    name: string,
    args: object | undefined,
    opts: pulumi.CustomResourceOptions = {},
  ) {
    const isPlugin = (new.target as { face?: Face }).face === "plugin";
    const [type, otherType] = isPlugin
      ? [pluginTokenOf(kind), typeOf(kind)]
      : [typeOf(kind), pluginTokenOf(kind)];
    // `get` gives no arguments. Without an id, Pulumi would create an object.
    const lookup = opts.id !== undefined || ("id" in opts && args === undefined);
    const whole = lookup ? { ...opts, id: idToRead(kind, name, opts.id) } : opts;
    const uses = new Uses();
    const inputs = lookup ? {} : withSecrets(shape.secrets, withIds(definedEntries(args), uses));
    const [servedBy, serve] = promised<pulumi.ProviderResource | undefined>();
    const given = givenProvider(kind, name, opts, isPlugin ? "plugin" : "dynamic");
    const provider = isPlugin ? given : (given ?? defaultProvider());
    const urn = () => urnOf(type, name, opts.parent);
    const more = {
      ...(isPlugin ? {} : forDynamicProvider(kind, urn(), lookup, inputs, servedBy)),
      ...(lookup ? {} : forCreate(kind, given, inputs, opts)),
      ...uses.input(),
    };
    // The plugin's class is derived from that of the dynamic provider.
    const restore = withoutOwnConstructors(isPlugin ? 2 : 1);
    try {
      super(
        type,
        name,
        { ...outputsOf(shape), ...inputs, ...more },
        pulumi.mergeOptions(withArgumentsIgnored(whole, shape, inputs), {
          provider,
          // The type of the other face, so that a stack can move between the two without a change.
          aliases: [{ type: otherType }],
          additionalSecretOutputs: secretOutputsOf(shape, lookup),
        }),
      );
    } finally {
      restore();
    }
    // A transformation may give another one. Pulumi's SDK keeps it under the name that it has for its package.
    const { __prov } = this as { __prov?: pulumi.ProviderResource };
    serve(__prov ?? this.getProvider(`${handedOnAs}::`) ?? provider);
    if (opts.deletedWith !== undefined && !lookup) pulumi.log.warn(deletedWithWarning, this);
    if (!lookup) fillIn(this, shape.outputs, inputs.adopt !== undefined);
    for (const text of misspeltIn(opts.ignoreChanges, shape)) pulumi.log.warn(text, this);
    noteResource(this, urn);
    declarations.set(this, { args: definedEntries(args), inputs, provider: given });
  }
}

/** The engine does not tell the provider of the option, nor of such a deletion. */
const deletedWithWarning =
  "deletedWith: when Pulumi deletes that other resource, it takes this one out of the state without a request. The service does " +
  "not delete its object with the other one, so it stays and may cost money: remove the option [PODLUMI-ODD]";

/** A promise, and what fulfils it. */
function promised<T>(): [Promise<T>, (value: T) => void] {
  let fulfil: (value: T) => void = () => undefined;
  const promise = new Promise<T>((tell) => {
    fulfil = tell;
  });
  return [promise, fulfil];
}

/** The inputs, of which some are secret whatever the program passes. */
function withSecrets(
  names: readonly string[] = [],
  inputs: Record<string, unknown>,
): Record<string, unknown> {
  const given = names.filter((name) => inputs[name] !== undefined);
  return { ...inputs, ...Object.fromEntries(given.map((name) => [name, pulumi.secret(inputs[name])])) };
}

/** Every output: its key makes the property exist on the resource. */
function outputsOf<S>({ outputs, digests = [] }: ShapeOf<S>): object {
  return Object.fromEntries(
    [...Object.keys(outputs), ...digests, stateOnly].map((name) => [name, undefined]),
  );
}

function secretOutputsOf<S>(
  { secrets = [], secretsWhenRead = [], digests = [] }: ShapeOf<S>,
  lookup: boolean,
) {
  return [...secrets, ...(lookup ? secretsWhenRead : []), ...digests, ...secretCopies];
}

/** The id of what a program only reads. Throws for an empty one, as an unset variable gives it. */
function idToRead(kind: string, name: string, given: pulumi.Input<unknown>): pulumi.Input<pulumi.ID> {
  const checked = (id: unknown): pulumi.ID => {
    if (typeof id === "string" && id !== "") return id;
    throw plainError(
      `cannot read the ${kind} "${name}": the id given to it is empty. Is a variable not set? [PODLUMI-INVALID]`,
    );
  };
  const isLater = typeof given === "object" && given !== null;
  return isLater ? pulumi.output(given).apply(checked) : checked(given);
}

/** The state of a resource as a program sees it: outputs with the documentation of the state. */
export type Outputs<S> = { readonly [Name in keyof S]: pulumi.Output<S[Name]> };

/**
 * The base class of all podlumi resources: a {@link PodlumiResource} with typed outputs. The constructor makes the
 * outputs. It is written this way because the TypeScript 3.8 that Pulumi brings has to understand it.
 */
export const Resource = PodlumiResource as unknown as new <S>(
  kind: string,
  shape: ShapeOf<S>,
  name: string,
  args: object | undefined,
  opts?: pulumi.CustomResourceOptions,
) => PodlumiResource<S> & Outputs<S>;

function definedEntries(args: object | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args ?? {}).filter(([, value]) => value !== undefined));
}
