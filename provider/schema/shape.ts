import { defined, isRecord, keyed, unknownValue } from "../value";
import type { AdoptArgs } from "./arguments";

/** A value that a preview fills in: the service's default, or unknown before `pulumi up`. Undefined: nothing is filled in. */
type Filling<T> = T | undefined | typeof unknownValue;

/** For an output that is an object, or a list of objects. It has all keys of the type, so that none can be forgotten. */
export type FillingOf<T> = T extends readonly (infer Item)[]
  ? FillingOfObject<Item>
  : T extends object
    ? FillingOfObject<T>
    : undefined;

type FillingOfObject<T> = T extends object
  ? string extends keyof T
    ? undefined
    : { readonly [Key in keyof Required<T>]: Filling<T[Key]> }
  : undefined;

/** Keys of which a preview fills in nothing. */
export function plain<Name extends string>(...names: Name[]): { readonly [Key in Name]: undefined } {
  return keyed(names, () => undefined) as { readonly [Key in Name]: undefined };
}

/** The outputs of the class of a resource. `S` is the state that the provider keeps. */
export interface ShapeOf<S> {
  /** A key makes the property exist on the resource. */
  readonly outputs: { readonly [Name in keyof S]: unknown };
  readonly otherInputs: object;
  /** Inputs that are secret whatever the program passes: encrypted in the state, masked on the screen. */
  readonly secrets?: readonly (keyof S & string)[];
  /** Outputs that are secret when the program looks the object up by its id, since it then declares none of them. */
  readonly secretsWhenRead?: readonly (keyof S & string)[];
  /** Outputs that podlumi computes from others, for programs in other languages. The class computes most of them itself. */
  readonly derived?: readonly string[];
  /** Derived outputs that reveal inputs. They are secret when any input is. The class hands on what the state has. */
  readonly digests?: readonly string[];
}

/** The outputs and the other arguments of a class, and which of them are secret, checked against its types. */
export interface Shape<S, Args> extends ShapeOf<S> {
  /** The service may add keys to the value of an argument: a preview fills them in. */
  readonly outputs: {
    readonly [Name in keyof S]: Name extends keyof Args ? FillingOf<NonNullable<S[Name]>> : undefined;
  };
  /** Every argument that is no output. */
  readonly otherInputs: Record<Exclude<keyof Args, keyof S | keyof AdoptArgs>, undefined>;
}

/**
 * An output in a preview, with the keys that the service adds. `later` stands for an unknown value. An object that `isAdopted` keeps
 * its values where the program gives none, so no default holds.
 */
export function filledIn(filling: unknown, value: unknown, later: unknown, isAdopted: boolean): unknown {
  if (!isRecord(filling) || value === later) return value;
  if (Array.isArray(value)) return value.map((item) => filledIn(filling, item, later, isAdopted));
  if (!isRecord(value)) return value;
  const added = (fill: unknown) =>
    fill !== undefined && (isAdopted || fill === unknownValue) ? later : fill;
  // The engine sorts the keys: a program may make a text of them.
  const keys = Object.keys({ ...filling, ...value }).sort();
  return defined(keyed(keys, (key) => value[key] ?? added(filling[key])));
}
