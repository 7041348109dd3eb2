import type { Kind } from "../kind/definition";
import type { Failure } from "../kind/failure";
import { isUnknown, type Properties } from "../value";
import { asUnique, clash } from "./unique";

/** Which resources of a program asked for what the account has once: a unique name, or the only object of a kind. */
export class Claims {
  /** Their URNs, by kind and name. */
  private readonly claimants = new Map<string, string>();

  /** `nameBefore` tells the name in the inputs of the state. */
  constructor(private readonly nameBefore: (urn: unknown) => unknown) {}

  /** Claims that for a resource. A failure where another resource of the program has claimed it. */
  claim(kind: Kind, { name, __urn }: Properties): Failure[] {
    const isName = kind.uniqueName && typeof name === "string" && !isUnknown(name);
    if (!kind.single && !isName) return [];
    const other = this.claimantOf(kind, name) ?? String(__urn);
    this.claimants.set(keyOf(kind, name), other);
    if (other === String(__urn)) return [];
    if (kind.single) {
      const reason = `the account has its ${kind.noun} once, and ${other} declares them already: put all of them into one resource`;
      return [{ property: "", reason, code: "PODLUMI-DECLARED-TWICE" }];
    }
    // Either of the two can be checked first. The one that had the name before is not the one to change.
    const had = (urn: unknown) => clash(kind, this.nameBefore(urn), name);
    const one = had(__urn) ? "the other one" : had(other) ? "this one" : "one of them";
    const reason = `is also the name of ${other}. Names of ${kind.noun}s are unique in the account: give ${one} another name`;
    return [{ property: "name", reason, code: "PODLUMI-NAME-TWICE" }];
  }

  /** The URN of the resource that asked for a unique name; undefined when none has. */
  claimantOf(kind: Kind, name: unknown): string | undefined {
    return this.claimants.get(keyOf(kind, name));
  }
}

const keyOf = (kind: Kind, name: unknown) => `${kind.noun} ${String(asUnique(kind, name))}`;
