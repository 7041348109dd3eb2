import type { Api } from "../client/api";
import type { Clock } from "../client/clock";
import { undefinedIfExpected } from "../client/errors";
import { Answers } from "../client/patience";
import { recent } from "../client/proof";
import type { Kind, ServiceObject } from "./kind/definition";

/** The lists of objects that a run has asked for. What it changed itself, a list may not have yet. */
export class Lists {
  /** The first list of each kind, by its noun, and the latest one. */
  private readonly first = new Answers();
  private readonly latest: Answers;
  /** The ids of what they have shown. This run may have deleted it since. */
  private readonly shown = new Set<string>();

  constructor(
    private readonly api: () => Api,
    clock: Clock,
  ) {
    this.latest = new Answers(clock);
  }

  /** All objects of a kind when this run first asked, for previews and checks. What the run created later is not among them. */
  snapshot(kind: Kind): Promise<ServiceObject[] | undefined> {
    return this.first.once(kind.noun, () => this.lately(kind, 0));
  }

  /** All objects of a kind as they were `age` milliseconds ago or later: others change them while a run waits. */
  lately(kind: Kind, age = recent): Promise<ServiceObject[] | undefined> {
    const ask = async () => {
      const objects = await kind.list(this.api());
      for (const { id } of objects ?? []) this.shown.add(id);
      return objects;
    };
    return this.latest.once(kind.noun, ask, age);
  }

  /** An object in such a list; undefined where that lacks it, which proves nothing. */
  async one(kind: Kind, id: string, age?: number): Promise<ServiceObject | undefined> {
    return (await this.lately(kind, age))?.find((object) => object.id === id);
  }

  /** Whether a list of this run has shown one of these objects, or one of `lists` does. A list that fails shows none. */
  async haveShown(
    ids: ReadonlySet<string>,
    lists: readonly Promise<ServiceObject[] | undefined>[],
  ): Promise<boolean> {
    const found = await Promise.all(lists.map((list) => list.catch(undefinedIfExpected)));
    return [...this.shown, ...found.flatMap((all = []) => all.map(({ id }) => id))].some((id) => ids.has(id));
  }
}
