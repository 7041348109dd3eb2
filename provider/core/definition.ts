import type { Api } from "../client/api";
import type { Failure, Rule } from "./check";
import type { Field, Fields } from "./field";
import type { Properties } from "./value";

/** What the service answers of an object; its keys are the resource's outputs. */
export type Observed = Properties;

/** An object of the service that has an id. */
export type ServiceObject = Observed & { id: string };

/** In the state that a read is given: what the program leaves out is looked at, too, where that takes a request more. */
export const everything = "__everything";

/** What the service will probably refuse. It is only told: a catalog may not list what an account has of its own. */
export interface Warnings {
  /** The fields that decide it: while none of them is new or changed, nothing is asked. */
  readonly about: readonly string[];
  find(api: Api, inputs: Properties): Promise<Failure[]>;
}

/**
 * One kind of resource: its fields, its rules and its calls. Everything else (check, diff, secrets, what the
 * state keeps, errors) is the same for all kinds and stands in `verbs/`.
 */
export interface Kind {
  /** For messages: `network volume`. */
  readonly noun: string;
  readonly fields: Readonly<Record<string, Field>>;
  /** Rules between fields. */
  readonly rules?: readonly Rule[];
  /** Names are unique in the account: a replacement under the same name deletes the old object first. */
  readonly uniqueName?: true;
  /** Where an object carries its mark; without it, in the name that podlumi makes up. (API: Mark of ownership) */
  readonly mark?: "env" | "description";
  /** An account has one and no more: there is nothing to adopt. */
  readonly single?: true;
  /** What speaks against making the object, as far as only the service can tell: it then fails in the preview. */
  conflict?(api: Api, inputs: Properties): Promise<Failure | undefined>;
  /** What speaks against the inputs without being certain: the preview and the up warn of it. */
  readonly warnings?: Warnings;
  /** What is lost when a replacement deletes the object, as far as it cannot be made again; undefined for nothing. */
  dataHeld?(properties: Properties): string | undefined;
  /** Makes the object with one request, so that its id is known before anything else can fail. */
  create(api: Api, body: Properties): Promise<ServiceObject>;
  /**
   * Sends one of several equally good inputs after the other, until the service has room for one. `send` makes one
   * object, whatever happens to its requests. Without it, the inputs are sent as they are.
   */
  alternatives?(
    api: Api,
    inputs: Properties,
    send: (inputs: Properties) => Promise<ServiceObject>,
  ): Promise<ServiceObject>;
  /**
   * Every object of the kind, as it was at most `age` milliseconds ago (default: as it is now); undefined where the
   * service cannot tell.
   */
  list(api: Api, age?: number): Promise<ServiceObject[] | undefined>;
  /**
   * Looks at the object, as it was at most `age` milliseconds ago (default: as it is now). Undefined only when the
   * service says that there is none.
   */
  read(api: Api, id: string, state: Properties, age?: number): Promise<Observed | undefined>;
  /** Changes what can be changed with one request. Not needed where nothing can. */
  update?(api: Api, id: string, patch: Properties, inputs: Properties): Promise<Observed>;
  /** Deletes the object; one that is gone already is deleted. */
  delete(api: Api, id: string, state: Properties): Promise<void>;
  /**
   * Brings about what create and update bodies cannot, and waits. Runs after both, on what was observed last, and
   * can be repeated. When it fails, the object stays in the state and the next `pulumi up` runs it again. `before` is
   * the state as it was, empty after a create.
   */
  makeReady?(
    api: Api,
    id: string,
    wanted: Properties,
    observed: Observed,
    before: Properties,
  ): Promise<Observed>;
}

/** A kind whose table has a field for every argument of its class. */
export interface Definition<Args> extends Kind {
  readonly fields: Fields<Args>;
}

/** Gives a definition its type while it is written. */
export function define<Args>(definition: Definition<Args>): Definition<Args> {
  return definition;
}
