import type { Api } from "../client/api";
import { backoff } from "../client/clock";
import { ExpectedError, isRefusal, mayHaveActed } from "../client/errors";
import { situations } from "../client/policy";
import { waitingFor } from "../progress";
import type { Definition, Made } from "./definition";
import type { Field } from "./field";
import { type Entry, type Journal, sameInputs } from "./journal";
import { body } from "./state";
import { covers, isRecord, isUnknown, type Properties } from "./value";

/** The clock of an answer has seconds: an object may seem to be made that much before its request. */
const clockError = 2_000;

/**
 * Makes objects of one kind, each once. A create cannot simply be repeated: after any end that leaves open what
 * happened, in this run or in one that died, it looks for what may have been made.
 */
export class Maker<Args> {
  /** Ids that a state holds or that this process made, with whose they are: never taken for something lost. */
  readonly owned = new Map<string, string>();
  /** Who asked for a name in this run. */
  private readonly names = new Map<string, string>();
  /** Creations of which some request may have been done without an answer: whatever ends them, the next run looks. */
  private readonly unsettled = new WeakSet<Entry>();
  private listed: Promise<Made[] | undefined> | undefined;
  private readonly queues = new Map<string, Promise<unknown>>();

  constructor(private readonly definition: Definition<Args>) {}

  make(api: Api, journal: Journal, inputs: Properties, urn: string): Promise<Made> {
    return this.inTurn(String(inputs.name), () => this.makeAlone(api, journal, inputs, urn));
  }

  /** Objects of one name are made one after the other, so that none is taken for what another request lost. */
  private inTurn<T>(name: string, act: () => Promise<T>): Promise<T> {
    const done = (this.queues.get(name) ?? Promise.resolve()).then(act);
    this.queues.set(
      name,
      done.catch(() => undefined),
    );
    return done;
  }

  private async makeAlone(api: Api, journal: Journal, inputs: Properties, urn: string): Promise<Made> {
    const lost = await this.recovered(api, journal, inputs, urn);
    if (lost !== undefined) return this.own(lost, urn);
    const existing = ((await this.before(api)) ?? []).map(({ id }) => id);
    const entry: Entry = {
      urn,
      noun: this.definition.noun,
      began: api.now() - clockError,
      known: [...new Set([...existing, ...this.owned.keys()])],
      name: String(inputs.name),
      sealed: journal.seal(inputs),
    };
    journal.begin(entry);
    try {
      const made = await this.placed(api, inputs, entry);
      journal.made(entry, made.id);
      return this.own(made, urn);
    } catch (error) {
      if (!this.unsettled.has(entry)) journal.forget(urn);
      throw error;
    }
  }

  /** What there was of this kind before this process made anything: one list call. */
  private before(api: Api): Promise<Made[] | undefined> {
    if (this.listed === undefined) {
      this.listed = this.definition.list(api);
      this.listed.catch(() => {
        this.listed = undefined;
      });
    }
    return this.listed;
  }

  /** Whether it is a name of a kind whose names are unique; in a preview it may be unknown. */
  private mustBeUnique(name: unknown): name is string {
    return this.definition.uniqueName === true && typeof name === "string" && !isUnknown(name);
  }

  /** Why a resource of this program cannot have a name that must be unique: another one has asked for it. */
  claimed(name: unknown, urn: string): string | undefined {
    if (!this.mustBeUnique(name)) return undefined;
    const other = this.names.get(name) ?? urn;
    this.names.set(name, other);
    return other === urn
      ? undefined
      : `is also the name of ${other}: names of this kind are unique in the account`;
  }

  /** Why a new object cannot have a name that must be unique, as far as is known before anything is made. */
  async unavailable(api: Api, journal: Journal, name: unknown, urn: string): Promise<string | undefined> {
    if (!this.mustBeUnique(name)) return undefined;
    if (journal.read(urn) !== undefined) return undefined;
    const holder = (await this.before(api.hasty))?.find(
      (object) => object.name === name && !this.owned.has(object.id),
    );
    return holder === undefined ? undefined : this.takenBy(holder);
  }

  /**
   * What an earlier run that died made for this resource, if it did. When the program asks for something else by now,
   * it is of no use: nothing refers to it yet.
   */
  private async recovered(
    api: Api,
    journal: Journal,
    inputs: Properties,
    urn: string,
  ): Promise<Made | undefined> {
    const entry = journal.take(urn);
    if (entry === undefined) return undefined;
    const left = await this.leftBy(api, journal, entry);
    if (left === undefined || sameInputs(journal.open(entry) ?? {}, inputs)) return left;
    // The engine has had it once, and may have been made to forget it on purpose.
    if (entry.told) throw this.unsure(journal, entry, [left]);
    await this.definition.delete(api, left.id, left);
    return undefined;
  }

  /** Deletes what an earlier run made for a resource that nobody asks for any more; tells what it deleted. */
  remove(api: Api, journal: Journal, entry: Entry): Promise<string | undefined> {
    return this.inTurn(entry.name, async () => {
      if (!journal.isLeftover(entry.urn)) return undefined;
      const left = await this.leftBy(api, journal, entry);
      if (left !== undefined) await this.definition.delete(api, left.id, left);
      journal.forget(entry.urn);
      return left && `${this.definition.noun} "${entry.name}" (${left.id})`;
    });
  }

  /** The one object that an interrupted creation made, if it made any. It must be what was asked for, field by field. */
  private async leftBy(api: Api, journal: Journal, entry: Entry): Promise<Made | undefined> {
    const theirs = journal.idsOfOthers(entry.urn);
    const all = (await this.definition.list(api)) ?? [];
    const found = this.candidates(all, entry).filter(({ id }) => !theirs.has(id));
    const asked = journal.open(entry);
    const [one] = found;
    if (one === undefined) return undefined;
    if (found.length === 1 && asked !== undefined && this.matches(one, asked)) return one;
    throw this.unsure(journal, entry, found);
  }

  private unsure(journal: Journal, { urn }: Entry, found: readonly Made[]): Error {
    return new ExpectedError(
      `an earlier run was interrupted while it made this, and ${this.told(found)} may be what it made. ` +
        `Delete what you do not need, or, if none of them is yours, ${journal.file(urn)}. Then run \`pulumi up\` again`,
    );
  }

  /** One request, or one for each alternative until the service has room. */
  private placed(api: Api, inputs: Properties, entry: Entry): Promise<Made> {
    const { alternatives } = this.definition;
    const fields = this.definition.fields as Record<string, Field>;
    const send = (given: Properties) => this.sent(api, given, body(fields, given), entry);
    return alternatives === undefined ? send(inputs) : alternatives(api, inputs, send);
  }

  private async sent(api: Api, inputs: Properties, body: Properties, entry: Entry): Promise<Made> {
    const began = api.clock.now();
    /** Whether nobody had the name when it was last refused. */
    let free = false;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.definition.create(api, body);
      } catch (error) {
        const elapsed = api.clock.now() - began;
        if (mayHaveActed(error)) {
          this.unsettled.add(entry);
          const found = await this.found(api, inputs, entry);
          if (found !== undefined) return found;
          if (elapsed > situations.unfinished.seconds * 1000) throw error;
        } else {
          if (!this.definition.uniqueName || !isRefusal(error)) throw error;
          const holder = await this.holder(api, inputs);
          // Its holder went away before this look; or it was refused for something else, and will be again.
          if (holder === undefined && free) throw error;
          free = holder === undefined;
          if (holder !== undefined && elapsed > situations.nameTaken.seconds * 1000)
            throw new ExpectedError(this.takenBy(holder), { cause: error });
        }
        waitingFor(
          mayHaveActed(error) ? "the service to recover" : "the holder of its name to go away",
          elapsed,
        );
        await api.clock.sleep(backoff(attempt, api.clock));
      }
    }
  }

  /** What a request made whose end was lost. */
  private async found(api: Api, inputs: Properties, entry: Entry): Promise<Made | undefined> {
    const all = (await this.definition.list(api)) ?? [];
    const found = this.candidates(all, entry).filter((object) => this.matches(object, inputs));
    if (found.length <= 1) return found[0];
    throw new ExpectedError(
      `the service did not say what came of the request, and ${this.told(found)} may be what it made. ` +
        "Delete all of them that you do not need, then run `pulumi up` again",
    );
  }

  /** Who has a name that only one can have. */
  private async holder(api: Api, { name }: Properties): Promise<Made | undefined> {
    const all = (await this.definition.list(api)) ?? [];
    return all.find((object) => object.name === name);
  }

  private takenBy({ id, name }: Made): string {
    const { noun } = this.definition;
    return (
      `the name "${String(name)}" is taken by the ${noun} ${id}. Give this one another name, or delete that one; to take ` +
      `it over, write adopt: "${id}", and to only refer to it, use .get(name, "${id}")`
    );
  }

  /** Objects that an unfinished creation may have made, and that are nobody's as far as this machine knows. */
  private candidates(all: readonly Made[], { began, known, id, name }: Entry): Made[] {
    return all.filter((object) => {
      if (this.owned.has(object.id)) return false;
      if (id !== undefined) return object.id === id;
      const older = Date.parse(String(object.createdAt)) < began;
      return object.name === name && !known.includes(object.id) && !older;
    });
  }

  /** Whether an object is what was sent, in every field that the service answers. */
  private matches(object: Made, inputs: Properties): boolean {
    const fields = Object.entries(this.definition.fields as Record<string, Field>);
    return fields.every(([name, field]) => {
      const input = inputs[name];
      if (input === undefined || field.ensured || field.writeOnly === true || !(name in object)) return true;
      const hidden = field.writeOnly ?? [];
      const sent = isRecord(input)
        ? Object.entries(input).filter(([key]) => !hidden.includes(key))
        : undefined;
      return covers(object[name], sent === undefined ? input : Object.fromEntries(sent));
    });
  }

  private own(made: Made, urn: string): Made {
    this.owned.set(made.id, urn);
    return made;
  }

  private told(objects: readonly Made[]): string {
    return `the ${this.definition.noun}${objects.length === 1 ? "" : "s"} ${objects.map(({ id }) => id).join(", ")}`;
  }
}
