import { accountOf } from "../../client/allowance";
import type { Api } from "../../client/api";
import { Patience } from "../../client/clock";
import type { Properties } from "../../value";
import type { Kind } from "../kind";
import type { Lists } from "./lists";

/** The account of the key, and those of the states that this run has met. An emulator is an account of its own. */
export class Accounts {
  /** An object for each account that a state names. */
  private readonly met = new Map<string, { readonly kind: Kind; readonly id: string }>();
  private asked: Promise<string | undefined> | undefined;
  private readonly patience = new Patience(3_000);

  meets(kind: Kind, id: string, { __account }: Properties): void {
    if (typeof __account === "string" && !kind.single) this.met.set(__account, { kind, id });
  }

  /** The id of the account of the key. Undefined where the service does not tell it, or not soon: no create fails for that. */
  own(api: Api): Promise<string | undefined> {
    this.asked ??= accountOf(api.impatient()).then(
      (response) => (typeof response?.id === "string" ? response.id : undefined),
      () => undefined,
    );
    return this.patience.inTime(this.asked);
  }

  /** The other account whose states this run has met, and none of whose objects the key shows; undefined where there is none. */
  async other(lists: Lists, api: Api): Promise<{ own: string; other: string } | undefined> {
    if (this.met.size === 0) return undefined;
    const own = await this.own(api);
    if (own === undefined || this.met.has(own)) return undefined;
    // Members of an organization have ids of their own, and the same objects.
    for (const [other, { kind, id }] of this.met)
      if ((await lists.oneAtFirst(kind, api, id)) === undefined) return { own, other };
    return undefined;
  }
}
