import type { Failure } from "../../schema/failure";
import { isUnknown, type Properties } from "../../value";
import { nameTwice } from "../../words/names";
import { resourceInWords } from "../../words/resource";
import { singleTwice } from "../../words/whose";
import type { Kind } from "../kind";
import { asUnique, clash } from "../kind/naming";

/** Which resources of a program ask for what the account has once: a unique name, or the only object of a kind. */
export class ProgramNames {
  /** Their URNs, by kind and name. */
  private readonly claimants = new Map<string, string>();

  /** Claims that for a resource. A failure where another resource of the program has claimed it. `nameBefore` tells the name in the state. */
  claim(kind: Kind, { name, __urn }: Properties, nameBefore: (urn: unknown) => unknown): Failure[] {
    const isName = kind.naming?.unique && typeof name === "string" && !isUnknown(name);
    if (!kind.single && !isName) return [];
    const key = `${kind.noun} ${String(asUnique(kind, name))}`;
    const other = this.claimants.get(key) ?? String(__urn);
    this.claimants.set(key, other);
    if (other === String(__urn)) return [];
    if (kind.single) {
      const reason = singleTwice(kind.noun, resourceInWords(other));
      return [{ property: "", reason, code: "PODLUMI-DECLARED-TWICE" }];
    }
    // Either of the two can be checked first. The one that had the name before is not the one to change.
    const had = (urn: unknown) => clash(kind, nameBefore(urn), name);
    const one = had(__urn) ? "the other one" : had(other) ? "this one" : "one of them";
    const reason = nameTwice(kind.noun, resourceInWords(other), one);
    return [{ property: "name", reason, code: "PODLUMI-NAME-TWICE" }];
  }
}
