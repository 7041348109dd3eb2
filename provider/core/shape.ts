/** What the class of a resource says about its outputs. `S` is the state that the provider keeps. */
export interface Shape<S> {
  /** Every output: its key makes the property exist on the resource. */
  readonly outputs: Record<keyof S, undefined>;
  /** Inputs that are secret whatever the program passes: encrypted in the state, masked on the screen. */
  readonly secrets?: readonly (keyof S & string)[];
  /** Outputs that are secret when the program looks the object up by its id, since it then declares none of them. */
  readonly secretsWhenRead?: readonly (keyof S & string)[];
  /** Outputs that podlumi computes from others, for programs in other languages. The class computes its own. */
  readonly derived?: readonly string[];
  /** Those of them that tell something of the inputs: secret when an input is. */
  readonly digests?: readonly string[];
}
