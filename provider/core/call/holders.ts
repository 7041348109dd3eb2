import { resourceInWords } from "../../words/resource";
import { declaredTwice } from "../../words/whose";
import { RefusedError } from "../errors";
import type { Kind } from "../kind";

/** Which resource of this run has which object, by what the engine has handed over. */
export class Holders {
  /** URNs by the id of the object: the present one, and one that the state has from before a rename. */
  private readonly urns = new Map<string, { readonly urn: string; readonly former: unknown }>();

  /** The URN of the resource that has an object; undefined where no call of this run has shown one. */
  of(id: string): string | undefined {
    return this.urns.get(id)?.urn;
  }

  /** Another resource that has it. */
  beside(id: string, urn: unknown): string | undefined {
    const holder = this.urns.get(id);
    return holder === undefined || holder.urn === urn || holder.former === urn ? undefined : holder.urn;
  }

  note(id: string, urn: unknown, former?: unknown): void {
    if (typeof urn === "string") this.urns.set(id, { urn, former });
  }

  /** Of several resources that take an object in one run, all but the first fail here. `former` is the URN from before a rename. */
  claim({ noun }: Kind, id: string, urn: unknown, former?: unknown): void {
    const holder = this.of(id);
    if (holder !== undefined && holder !== urn && holder !== former)
      throw new RefusedError(declaredTwice(noun, id, resourceInWords(holder)), "PODLUMI-DECLARED-TWICE");
    this.note(id, urn, former);
  }
}
