import { accountOf } from "../../client/allowance";
import type { Api } from "../../client/api";
import { Patience } from "../../client/clock";
import { isAnswered } from "../../client/errors";
import { requests } from "../../client/policy";
import type { Properties } from "../../value";
import type { Kind } from "../kind";
import type { Lists } from "./lists";

/** The account of the key, and those of the states that this run has met. An emulator is an account of its own. */
export class Accounts {
  /** The objects of each account that a state names: the kinds by their ids. */
  private readonly met = new Map<string, Map<string, Kind>>();
  private asked: Promise<string | undefined> | undefined;
  private readonly patience = new Patience(3_000);

  meets(kind: Kind, id: string, { __account }: Properties): void {
    if (typeof __account !== "string" || kind.single) return;
    const objects = this.met.get(__account) ?? new Map<string, Kind>();
    this.met.set(__account, objects.set(id, kind));
  }

  /** The id of the account of the key. Undefined where the service does not tell it, or not soon: no create fails for that. */
  own(api: Api): Promise<string | undefined> {
    this.asked ??= idOfAccount(api.impatient()).catch(() => undefined);
    return this.patience.inTime(this.asked);
  }

  /** The same before an object leaves the state: only a refusal says that the service does not tell it. Any other failure says nothing. */
  async ownForCertain(api: Api): Promise<string | undefined> {
    const own = await this.own(api);
    if (own !== undefined) return own;
    return idOfAccount(api).catch((error) => {
      const isFinal = (status: number) => status >= 400 && !requests.read.statuses(status);
      if (!isAnswered(error, { statuses: isFinal })) throw error;
      return undefined;
    });
  }

  /** The other account whose states this run has met, and none of whose objects the key shows; undefined where there is none. */
  async other(lists: Lists, api: Api): Promise<{ own: string; other: string } | undefined> {
    if (this.met.size === 0) return undefined;
    const own = await this.own(api);
    if (own === undefined || this.met.has(own)) return undefined;
    // Members of an organization have ids of their own, and the same objects.
    for (const [other, objects] of this.met)
      if (!(await isAnyListed(lists, api, objects))) return { own, other };
    return undefined;
  }
}

async function isAnyListed(lists: Lists, api: Api, objects: ReadonlyMap<string, Kind>): Promise<boolean> {
  for (const [id, kind] of objects) if (await lists.oneAtFirst(kind, api, id)) return true;
  return false;
}

async function idOfAccount(api: Api): Promise<string | undefined> {
  const response = await accountOf(api);
  return typeof response?.id === "string" ? response.id : undefined;
}
