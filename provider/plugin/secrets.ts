import { holdsSecret, isSecret, secret, unwrapped, withSecrets } from "../core/state/secret-value";
import { secretCopies } from "../identity";
import { masked } from "../mask";
import type { ShapeOf } from "../schema/shape";
import { isRecord, mapped, type Properties, textsIn, without } from "../value";

/** An error of a verb. With an id, there is an object that is not ready. */
export interface VerbError extends Error {
  readonly id?: string;
  readonly properties?: Properties;
  readonly reasons?: string[];
}

/** The secrets of one kind: unwrapped on the way to the core, they are wrapped and masked here on the way back. */
export class Secrets {
  constructor(private readonly shape: ShapeOf<Properties>) {}

  /** Wraps the secrets of the kind, and values that are secret at their place in an example. */
  ofInputs(inputs: Properties, ...examples: readonly Properties[]): Properties {
    return withSecrets(secretLike(inputs, ...examples) as Properties, this.shape.secrets ?? []);
  }

  /** The first example has the inputs of the program. */
  ofOutputs(outputs: Properties, ...examples: readonly Properties[]): Properties {
    const digests = holdsSecret(examples[0]) ? (this.shape.digests ?? []) : [];
    const wrapped = this.ofInputs(without(["__provider"], outputs), ...examples);
    return withSecrets(wrapped, [...digests, ...secretCopies]);
  }

  /** For an object that no program declares: also wraps possible secrets of somebody else. */
  ofFound(properties: Properties): Properties {
    const { secretsWhenRead = [], digests = [] } = this.shape;
    return withSecrets(properties, [...secretsWhenRead, ...digests]);
  }

  /**
   * Masks secrets in the message of a failure, and wraps them in its state. `unmasked` is an id: the platform repeats it in a variable,
   * and the message needs it.
   */
  async discreetly<T>(examples: readonly Properties[], act: () => Promise<T>, unmasked?: string): Promise<T> {
    try {
      return await act();
    } catch (error) {
      const { message, id, properties, reasons } = error as Partial<VerbError>;
      // The copies are secret as a whole, with names that a message needs. A real secret in them is secret in its own property, too.
      const texts = examples.flatMap((example) => secretTexts(without(secretCopies, example)));
      const hidden = texts.filter((text) => text !== unmasked);
      const mask = (text: string) => masked(text, hidden);
      throw Object.assign(new Error(mask(String(message))), {
        id,
        reasons: reasons?.map(mask),
        ...(properties && { properties: this.ofOutputs(properties, ...examples) }),
      });
    }
  }
}

/**
 * Wraps each value that is secret at its place in an example. The items of a list have no place, since others can reorder them, so a
 * list with a secret is secret as a whole.
 */
export function secretLike(value: unknown, ...examples: readonly unknown[]): unknown {
  if (examples.some((example) => isSecret(example) || (Array.isArray(example) && holdsSecret(example))))
    return secret(value);
  if (!isRecord(value) || isSecret(value)) return value;
  const inner = (key: string) => examples.map((example) => (isRecord(example) ? example[key] : undefined));
  return mapped(value, (item, key) => secretLike(item, ...inner(key)));
}

function secretTexts(value: unknown): string[] {
  if (isSecret(value)) return textsIn(unwrapped(value));
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(secretTexts) : [];
}

export function isMoreSecret(news: Properties, state: Properties): boolean {
  return JSON.stringify(secretLike(state, news)) !== JSON.stringify(state);
}
