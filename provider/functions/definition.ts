import * as z from "zod";
import type { Api } from "../client/api";
import type { KindName } from "../identity";

/** A function that only reads: previews call it, too. */
export interface FunctionDefinition<Args, Result> {
  /** The shape of each argument. The plugin checks it, for programs that no TypeScript compiler has checked. */
  readonly args: { readonly [Name in keyof Args & string]: z.ZodType<Args[Name]> };
  /** The name of a list in an answer of the plugin, which has only named values. */
  readonly list?: string;
  /** The kind of the objects that it finds. */
  readonly kind?: KindName;
  ask(api: Api, args: Args): Promise<Result>;
}

/** A definition for each function of an interface. */
export type Definitions<Signatures extends Record<keyof Signatures, (args: never) => unknown>> = {
  readonly [Name in keyof Signatures]: FunctionDefinition<
    Parameters<Signatures[Name]>[0],
    ReturnType<Signatures[Name]>
  >;
};

/** An id, a name or a time: any text that is not empty. */
export const text = z.string().min(1);
