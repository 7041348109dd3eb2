import type { AdoptArgs } from "./arguments";

/** What the class of a resource says about its outputs. `S` is the state that the provider keeps, `Args` the arguments of the class. */
export interface Shape<S, Args = S> {
  /** Every output: its key makes the property exist on the resource. */
  readonly outputs: Record<keyof S, undefined>;
  /** Every argument that is no output. */
  readonly otherInputs: Record<Exclude<keyof Args, keyof S | keyof AdoptArgs>, undefined>;
  /** Inputs that are secret whatever the program passes: encrypted in the state, masked on the screen. */
  readonly secrets?: readonly (keyof S & string)[];
  /** Outputs that are secret when the program looks the object up by its id, since it then declares none of them. */
  readonly secretsWhenRead?: readonly (keyof S & string)[];
  /** Outputs that podlumi computes from others, for programs in other languages. The class computes its own of most. */
  readonly derived?: readonly string[];
  /** Derived outputs that reveal inputs. They are secret when any input is. The class hands on what the state has. */
  readonly digests?: readonly string[];
}
