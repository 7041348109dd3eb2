import type { Api } from "../client/api";
import type { Clock } from "../client/clock";
import { undefinedIfExpected } from "../client/errors";
import { Answers, patienceNow } from "../client/patience";
import { recent } from "../client/proof";
import type { Kind, ServiceObject } from "./kind/definition";

/** A list of a kind. */
interface List {
  /** When it was asked for. */
  readonly at: number;
  /** Patience of the caller that asked. Where it fails, a caller with more patience asks again. */
  readonly patience: number;
  readonly objects: Promise<ServiceObject[] | undefined>;
}

/** The lists of objects that a run has asked for. What it changed itself, a list may not have yet. */
export class Lists {
  private readonly first = new Answers();
  /** The latest list of each kind, by its noun. */
  private readonly latest = new Map<string, List>();
  /** The ids of what they have shown. This run may have deleted it since. */
  private readonly shown = new Set<string>();

  constructor(
    private readonly api: () => Api,
    private readonly clock: Clock,
  ) {}

  /** All objects of a kind when this run first asked, for previews and checks. What the run created later is not among them. */
  snapshot(kind: Kind): Promise<ServiceObject[] | undefined> {
    return this.first.once(kind.noun, () => this.ask(kind));
  }

  /** All objects of a kind as they were `age` milliseconds ago or later: others change them while a run waits. */
  async lately(kind: Kind, age = recent): Promise<ServiceObject[] | undefined> {
    const known = this.latest.get(kind.noun);
    if (known === undefined || this.clock.now() - known.at >= age) return this.ask(kind);
    if (known.patience >= patienceNow()) return known.objects;
    return known.objects.catch(() => this.lately(kind, age));
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

  private ask(kind: Kind): Promise<ServiceObject[] | undefined> {
    const list: List = {
      at: this.clock.now(),
      patience: patienceNow(),
      objects: this.noted(kind.list(this.api())),
    };
    this.latest.set(kind.noun, list);
    list.objects.catch(() => {
      if (this.latest.get(kind.noun) === list) this.latest.delete(kind.noun);
    });
    return list.objects;
  }

  private async noted(list: ReturnType<Kind["list"]>): ReturnType<Kind["list"]> {
    const objects = await list;
    for (const { id } of objects ?? []) this.shown.add(id);
    return objects;
  }
}
