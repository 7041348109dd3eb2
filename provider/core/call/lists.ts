import { Answers } from "../../client/answers";
import type { Api } from "../../client/api";
import type { Clock } from "../../client/clock";
import { patienceOf, recent } from "../../client/errand";
import type { Kind, ServiceObject } from "../kind";

/**
 * The lists of objects that a run has asked for. They may lack what the run itself created or changed. The client's lists end with each own
 * change; these do not, or a run of many changes would take many lists.
 */
export class Lists {
  private readonly first = new Answers();
  private readonly latest: Answers;

  constructor(private readonly clock: Pick<Clock, "now">) {
    this.latest = new Answers(clock);
  }

  /** All objects of a kind when this run first asked. */
  atFirst(kind: Kind, api: Api): Promise<ServiceObject[] | undefined> {
    const patience = patienceOf(api.errand);
    return this.first.once(kind.noun, () => this.lately(kind, api), { patience });
  }

  /** An object in that list; undefined where the list lacks it, which proves nothing. */
  async oneAtFirst(kind: Kind, api: Api, id: string): Promise<ServiceObject | undefined> {
    return (await this.atFirst(kind, api))?.find((object) => object.id === id);
  }

  /** All objects of a kind at most a moment ago. Changes and deletions at about the same time share the list. */
  lately(kind: Kind, api: Api, age = recent): Promise<ServiceObject[] | undefined> {
    const isFresh = (at: number) => this.clock.now() - at < age;
    return this.latest.once(kind.noun, () => kind.list(api), { isFresh, patience: patienceOf(api.errand) });
  }

  async oneLately(kind: Kind, api: Api, id: string, age = recent): Promise<ServiceObject | undefined> {
    return (await this.lately(kind, api, age))?.find((object) => object.id === id);
  }
}
