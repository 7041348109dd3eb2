import type * as pulumi from "@pulumi/pulumi";
import type { Provider } from "../provider";

/** How a function finds its account. */
export interface FunctionOptions {
  /** The account. Default: that of the stack configuration, then that of the environment. */
  provider?: Provider;
}

/** A function of plain values. */
export type PlainFunction<Args, Result> =
  Record<never, never> extends Args
    ? (args?: Args, opts?: FunctionOptions) => Promise<Result>
    : (args: Args, opts?: FunctionOptions) => Promise<Result>;

/** Plain values, or outputs of them. */
export type Inputs<Args> = { [Name in keyof Args]: InputOf<Args[Name]> };
type InputOf<T> = pulumi.Input<T extends readonly (infer Item)[] ? pulumi.Input<Item>[] : T>;

/** The same function of outputs. What is secret in a result stands apart from the rest, which is not. */
export type OutputFunction<Args, Result, Secret extends keyof Result = never> =
  Record<never, never> extends Args
    ? (args?: pulumi.Input<Inputs<Args>>, opts?: FunctionOptions) => OutputOf<Result, Secret>
    : (args: pulumi.Input<Inputs<Args>>, opts?: FunctionOptions) => OutputOf<Result, Secret>;

/** The output of a function; those of its properties that are secret are outputs of their own. */
export type OutputOf<Result, Secret extends keyof Result> = [Secret] extends [never]
  ? pulumi.Output<Result>
  : pulumi.Output<Omit<Result, Secret>> & { readonly [Name in Secret]: pulumi.Output<Result[Name]> };
