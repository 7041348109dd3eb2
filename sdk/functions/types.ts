import type * as pulumi from "@pulumi/pulumi";
import type { Provider } from "../provider";

/** Which account a function uses. */
export interface FunctionOptions {
  /** The provider whose account is used. Default: the account of the stack configuration, then of the environment. */
  provider?: Provider;
}

/** A function that takes plain values and returns a promise. */
export type PlainFunction<Args, Result> =
  Record<never, never> extends Args
    ? (args?: Args, opts?: FunctionOptions) => Promise<Result>
    : (args: Args, opts?: FunctionOptions) => Promise<Result>;

/** Plain values, or outputs of them. */
export type Inputs<Args> = { [Name in keyof Args]: InputOf<Args[Name]> };
type InputOf<T> = pulumi.Input<T extends readonly (infer Item)[] ? pulumi.Input<Item>[] : T>;

/** The same function for outputs. Secret properties of a result are separate outputs, so the rest is not secret. */
export type OutputFunction<Args, Result, Secret extends keyof Result = never> =
  Record<never, never> extends Args
    ? (args?: pulumi.Input<Inputs<Args>>, opts?: FunctionOptions) => OutputOf<Result, Secret>
    : (args: pulumi.Input<Inputs<Args>>, opts?: FunctionOptions) => OutputOf<Result, Secret>;

/** The output of a function. Its secret properties are outputs of their own. */
export type OutputOf<Result, Secret extends keyof Result> = [Secret] extends [never]
  ? pulumi.Output<Result>
  : pulumi.Output<Omit<Result, Secret>> & { readonly [Name in Secret]: pulumi.Output<Result[Name]> };
