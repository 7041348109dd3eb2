import { holdsSecret, withSecrets } from "../core/state/secret-value";
import { secretCopies } from "../identity";
import type { ShapeOf } from "../schema/shape";
import { type Properties, without } from "../value";
import { maskOf, secretLike } from "./values";

/** An error of a verb. One with an id has left an object that is not ready. */
export interface VerbError extends Error {
  readonly id?: string;
  readonly properties?: Properties;
  readonly reasons?: string[];
}

/** The secrets of one kind: unwrapped on the way to the core, they are wrapped and masked here on the way back. */
export class Secrets {
  constructor(private readonly shape: ShapeOf<Properties>) {}

  /** Wraps what is secret in the kind, and what is secret at the same place of an example. */
  ofInputs(inputs: Properties, ...examples: readonly Properties[]): Properties {
    return this.wrapped(inputs, examples, this.always());
  }

  /** The first example is what the program declares. */
  ofOutputs(outputs: Properties, ...examples: readonly Properties[]): Properties {
    const digests = holdsSecret(examples[0]) ? this.digests() : [];
    return this.wrapped(without(["__provider"], outputs), examples, [
      ...this.always(),
      ...digests,
      ...secretCopies,
    ]);
  }

  /** For an object that no program declares. Wraps what may be a secret of somebody, too. */
  ofFound(properties: Properties): Properties {
    return withSecrets(properties, [...(this.shape.secretsWhenRead ?? []), ...this.digests()]);
  }

  /**
   * Masks secrets in the message of a failure, and wraps those of the state that it carries. `unmasked` is an id: the platform
   * repeats it in a variable, and the message needs it.
   */
  async discreetly<T>(examples: readonly Properties[], act: () => Promise<T>, unmasked?: string): Promise<T> {
    try {
      return await act();
    } catch (error) {
      const { message, id, properties, reasons } = error as Partial<VerbError>;
      // The copies are secret as a whole. Masking them would hide the names in messages, and a real secret among them is secret
      // in its own property, too.
      const mask = maskOf(
        examples.map((example) => without(secretCopies, example)),
        unmasked,
      );
      throw Object.assign(new Error(mask(String(message))), {
        id,
        reasons: reasons?.map(mask),
        ...(properties && { properties: this.ofOutputs(properties, ...examples) }),
      });
    }
  }

  private wrapped(
    properties: Properties,
    examples: readonly Properties[],
    names: readonly string[],
  ): Properties {
    return withSecrets(secretLike(properties, ...examples) as Properties, names);
  }

  private always(): readonly string[] {
    return this.shape.secrets ?? [];
  }

  private digests(): readonly string[] {
    return this.shape.digests ?? [];
  }
}
