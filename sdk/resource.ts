import * as pulumi from "@pulumi/pulumi";
import type { Shape } from "../provider/core/shape";
import type { KindName } from "../provider/identity";
import { providerOf, typeOf } from "../provider/identity";
import type { Provider } from "./provider";
import { defaultProvider } from "./provider";
import { urnOf } from "./urn";

/** What the program said of a resource, for what is derived from it in the program itself. */
export interface Declaration {
  readonly args: Readonly<Record<string, unknown>>;
  readonly provider: Provider | undefined;
}

const declarations = new WeakMap<object, Declaration>();

export function declarationOf(resource: object): Declaration {
  return declarations.get(resource) ?? { args: {}, provider: undefined };
}

/**
 * A Pulumi dynamic resource whose provider is one line of text.
 *
 * The engine keeps that text in the state and evaluates it in a process of its own, where `require` finds
 * `podlumi/provider` in the `node_modules` of the program. A program therefore loads neither the provider nor
 * the libraries that it needs, and nothing is serialized. The text is part of every state file: never change it.
 */
export abstract class DynamicResource<S> extends pulumi.CustomResource {
  constructor(
    kind: KindName,
    shape: Shape<S>,
    name: string,
    args: object | undefined,
    opts: pulumi.CustomResourceOptions = {},
  ) {
    const type = typeOf(kind);
    const lookup = opts.id !== undefined;
    const given = opts.provider ?? opts.parent?.getProvider(type);
    const provider = given ?? defaultProvider();
    // The provider is not told which resource of which stack it works for, and marks what it makes with both.
    const whose = { __urn: urnOf(type, name, opts.parent), __stack: provider.id };
    const inputs: Record<string, unknown> = lookup ? {} : { ...definedEntries(args), ...whose };
    for (const key of shape.secrets ?? []) {
      if (inputs[key] !== undefined) inputs[key] = pulumi.secret(inputs[key]);
    }
    super(
      type,
      name,
      {
        ...shape.outputs,
        ...inputs,
        __provider: providerOf(kind),
      },
      pulumi.mergeOptions(opts, {
        provider,
        additionalSecretOutputs: [...(shape.secrets ?? []), ...(lookup ? (shape.secretsWhenRead ?? []) : [])],
      }),
    );
    declarations.set(this, { args: definedEntries(args), provider: given as Provider | undefined });
  }
}

/** What the state of a resource is to a program. Its documentation is that of the state. */
export type Outputs<S> = { readonly [Name in keyof S]: pulumi.Output<S[Name]> };

/**
 * The base of all podlumi resources: a {@link DynamicResource} with its outputs, which its constructor makes. Written so
 * that the TypeScript 3.8 that Pulumi brings understands it.
 */
export const Resource = DynamicResource as unknown as new <S>(
  kind: KindName,
  shape: Shape<S>,
  name: string,
  args: object | undefined,
  opts?: pulumi.CustomResourceOptions,
) => DynamicResource<S> & Outputs<S>;

function definedEntries(args: object | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args ?? {}).filter(([, value]) => value !== undefined));
}
