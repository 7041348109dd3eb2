import type { State, Stated } from "../../engine/export";
import { kindOfType, partsOfUrn } from "../../identity";
import { AdoptionError } from "../errors";
import type { Kind, ServiceObject } from "../kind/definition";
import type { Mark } from "../kind/mark";
import { describe } from "../telling";
import type { Properties } from "../value";
import { type States, StateUnknownError, whyUnread } from "./states";
import { type Held, stackOfMark, type Use, useOf, usersOf } from "./whose";

/** Another stack, and what it does with an object. */
export interface OtherStack {
  readonly stack: string;
  readonly use: Use;
  /** The resource that has it there. */
  readonly urn: string | undefined;
  /** Its outputs in that state; none where it has not got the object yet. */
  readonly outputs: Properties;
}

/** Whether an object is free, by what a stack does with it, whether that is the stack of this run, and the URN of what has it there. */
export type IsFree = (use: Use | undefined, isOwn: boolean, urn: string | undefined) => boolean;

/** What no resource has, and no other stack is adopting, or keeps to adopt it again. */
export const isFree: IsFree = (use, isOwn) =>
  use === undefined || use === "reads" || (isOwn && use !== "has");

/** Which resource has which object: by what the calls of this run have shown, and by the states that Pulumi shows. */
export class Owners {
  /** The ids of the providers under which the resources that this run has seen were marked. */
  readonly seenMarkers = new Set<string>();

  /** URNs by the id of the object. From states, and from what this run creates or takes over. */
  private readonly urns = new Map<string, string>();
  /** What resources of this run have let go of, since another one has it: their URNs and the ids. */
  private readonly letGo = new Set<string>();

  constructor(private readonly states: States) {}

  /** Notes who owns an object. */
  note(id: string, properties: Properties): void {
    this.urns.set(id, String(properties.__urn));
    if (properties.__stack !== undefined) this.seenMarkers.add(String(properties.__stack));
  }

  /**
   * Notes that a resource has or takes an object, at once: of several that take it in one run, all but the first fail here. After a rename,
   * a state has the `former` URN of the same resource.
   */
  claim(kind: Kind, id: string, properties: Properties, former?: unknown): void {
    const owner = this.urns.get(id);
    if (owner !== former) this.failIfAnothers(kind, id, properties, owner);
    this.note(id, properties);
  }

  /** Fails where another resource has an object: by this run, or by the state as it is `now`. */
  async failIfHad(kind: Kind, id: string, properties: Properties, when?: "now"): Promise<void> {
    this.failIfAnothers(kind, id, properties, await this.find(id, when));
  }

  private failIfAnothers(kind: Kind, id: string, { __urn }: Properties, owner: string | undefined): void {
    if (owner === undefined || owner === __urn) return;
    const { type } = partsOfUrn(owner);
    // Nothing is an alias of a resource of another provider, such as that of another tool for the service.
    const isOtherTool = type !== "" && kindOfType(type) === undefined;
    const next = isOtherTool
      ? "That is a resource of another provider, which would still change and delete it. Take it out of the state first, with " +
        `\`pulumi state delete '${owner}'\`, and out of the program`
      : "To rename that resource, use aliases";
    throw new AdoptionError(`the ${kind.noun} ${id} is ${owner} already. ${next}`, "PODLUMI-DECLARED-TWICE");
  }

  /**
   * The URN of another resource that keeps an object, too, by a state; undefined where there is none, or only what is being deleted as well: of
   * two that go at once, under two providers, the one that looks later sees the other go.
   */
  heldBeside(id: string, whose: Properties, state: State | undefined): string | undefined {
    return this.holdersBeside(id, whose, state).find(({ isGoing }) => !isGoing)?.urn;
  }

  /** The other resources that have an object by a state, without what has let go of it in this run. */
  holdersBeside(id: string, whose: Properties, state: State | undefined): Stated[] {
    const own = ownIn(state, id, whose);
    return holdersIn(state, id).filter((one) => one !== own && !this.hasLetGo(id, one.urn));
  }

  /**
   * The URN by which a state has the object of a resource by now. Its outputs keep the one from before a rename, which another resource may
   * have got since.
   */
  urnIn(state: State | undefined, id: string, whose: Properties): unknown {
    return ownIn(state, id, whose)?.urn ?? this.known(id) ?? whose.__urn;
  }

  /** Notes that a resource lets go of an object that another one has, which is then the one to delete it. */
  letsGo(id: string, urn: unknown): void {
    this.letGo.add(`${String(urn)} ${id}`);
  }

  /** Whether a resource has let go of an object in this run. */
  hasLetGo(id: string, urn: unknown): boolean {
    return this.letGo.has(`${String(urn)} ${id}`);
  }

  /** Notes that no resource of this stack has an object any more: another stack has adopted it. */
  forgets(id: string): void {
    this.urns.delete(id);
  }

  /** The URN of the owner of an object; undefined when no call of this run has shown one. */
  known(id: string): string | undefined {
    return this.urns.get(id);
  }

  /**
   * Objects that no resource of this stack has: no call of this run has shown one, nor does the state. Reading (`get`) is not having. What a
   * state had that was asked for earlier in the run may have left it: what the engine keeps (`retainOnDelete`), no call shows.
   */
  async notHeldHere(objects: readonly ServiceObject[], when?: "now"): Promise<ServiceObject[]> {
    const unseen = objects.filter(({ id }) => !this.urns.has(id));
    if (unseen.length === 0) return [];
    const own = await this.states.own();
    const isHeld = when === "now" && unseen.some(({ id }) => own.holders.has(id));
    const { holders } = (isHeld ? await this.states.now() : undefined) ?? own;
    return unseen.filter(({ id }) => !holders.has(id));
  }

  /**
   * Objects of a kind that no resource of any stack has, and that no other stack is adopting: as the states were when this run first
   * asked, or as they are `now`. `pulumi state move` puts an object, with its mark, into another state. Where one cannot be read, the error
   * says `which` objects they are.
   */
  async freeAmong(
    kind: Kind,
    objects: readonly ServiceObject[],
    when?: "now",
    test = isFree,
    which?: string,
  ): Promise<ServiceObject[]> {
    const notHeldHere = await this.notHeldHere(objects, when);
    if (notHeldHere.length === 0) return [];
    const own = await this.states.own();
    const { found, unread } = await this.states.all(when);
    const free = notHeldHere.filter((object) =>
      found.every((state) =>
        test(useOf(state, kind, object), state.name === own.name, state.holders.get(object.id)),
      ),
    );
    const [first] = free;
    if (first !== undefined)
      failIfUnread(unread, kind, free, which, `. If no stack has it, write adopt: "${first.id}"`);
    return free;
  }

  /** Objects of a kind that no resource has, that no run is adopting and no program reads (`get`): only they may be deleted. */
  unusedAmong(kind: Kind, objects: readonly ServiceObject[], when?: "now"): Promise<ServiceObject[]> {
    return this.freeAmong(kind, objects, when, (use) => use === undefined);
  }

  /** Returns a function that tells the stacks that only read an object. */
  async stacksThatRead(): Promise<(kind: Kind, object: ServiceObject) => string[]> {
    const own = await this.states.own();
    const states = [own, ...(await this.states.beside(own))];
    return (kind, object) => usersOf(states, kind, object, "reads");
  }

  /** Whose a mark with digits of this stack is. `marked` tells which objects are known to carry marks. */
  async whose(marked: readonly Held[]): Promise<(mark: Mark) => "own" | "other" | "open"> {
    const own = await this.states.own();
    const others = await this.states.beside(own);
    // Before its first `up` ends, the state may lack the provider.
    const markers = new Set([...own.markers, ...this.seenMarkers, String(this.states.provider)]);
    const all = [{ ...own, markers }, ...others];
    const names = all.map(({ name }) => name);
    const stackOf = stackOfMark(all, names, marked);
    return (mark) => {
      const whose = stackOf(mark);
      if (typeof whose === "string") return "open";
      return whose.of.name === own.name ? "own" : "other";
    };
  }

  /**
   * The URN of the owner of an object, from this run or from the state as it is `now`; undefined when neither knows one. A stack with
   * several providers has a run for each.
   */
  async find(id: string, when?: "now"): Promise<string | undefined> {
    const known = this.urns.get(id);
    if (known !== undefined) return known;
    const state = await (when === "now" ? this.states.now() : this.states.ownIfTold());
    return state?.holders.get(id);
  }

  /**
   * The other stacks whose states have an object, or show that a run is adopting it. What is about to be done asks `now`: a run can
   * last long, and another one may adopt meanwhile.
   */
  async otherStacksWith(
    kind: Kind,
    object: ServiceObject,
    inputs: Properties,
    when?: "now",
    uses: readonly Use[] = ["has", "adopts"],
  ): Promise<OtherStack[]> {
    // What an account has once has the same id in every account.
    if (kind.single) return [];
    const own = await this.states.ownIfTold();
    const { found, unread } = await this.states.all(when);
    const but = own === undefined ? inputs.__urn : undefined;
    const others = found.flatMap((state) => {
      const use = state.name === own?.name ? undefined : useOf(state, kind, object, but);
      const urn = state.holders.get(object.id);
      const { outputs = {} } = state.objects.find(({ id }) => id === object.id) ?? {};
      return use !== undefined && uses.includes(use) ? [{ stack: state.name, use, urn, outputs }] : [];
    });
    if (others.length === 0) failIfUnread(unread, kind, [object]);
    return others;
  }

  /** The ids of the providers under which this stack has marked its objects, by its state. The other face had a provider of its own. */
  async markers(): Promise<string[]> {
    const state = await this.states.ownIfTold();
    return [...(state?.markers ?? [])];
  }
}

/** What has an object by a state. */
function holdersIn(state: State | undefined, id: string): Stated[] {
  return (state?.objects ?? []).filter((object) => object.id === id);
}

/** That of a resource among them. What keeps its state as it was has a former URN in its outputs. */
function ownIn(state: State | undefined, id: string, { __urn }: Properties): Stated | undefined {
  const having = holdersIn(state, id);
  return having.find(({ urn }) => urn === __urn) ?? having.find(({ outputs }) => outputs.__urn === __urn);
}

/** Throws when a stack whose state cannot be read may have one of these objects, since podlumi never guesses. */
function failIfUnread(
  unread: readonly string[],
  kind: Kind,
  objects: readonly ServiceObject[],
  which = "",
  next = "",
): void {
  if (unread.length === 0) return;
  const all = objects.map((one) => describe(kind, one)).join(", the ");
  const what = `cannot read the state of ${unread.join(", ")}, so it does not know whether that stack has the ${all}${which}`;
  throw new StateUnknownError(`podlumi ${what}: ${whyUnread(unread)}${next}`, unread);
}
