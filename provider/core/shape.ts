/** What the class of a resource tells about its outputs. `S` is the state that the provider keeps. */
export interface Shape<S> {
  /** Every output: its key makes the property exist on the resource. */
  readonly outputs: Record<keyof S, undefined>;
  /** Inputs that are secret whatever the program passes: encrypted in the state, masked on the screen. */
  readonly secrets?: readonly (keyof S & string)[];
  /** Outputs that are secret when the object was looked up by its id, since the program then declared nothing of them. */
  readonly secretsWhenRead?: readonly (keyof S & string)[];
}
