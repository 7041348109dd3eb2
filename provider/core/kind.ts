import type { Allowance } from "../client/allowance";
import type { Api } from "../client/api";
import { isNotFound } from "../client/errors";
import type { KindName } from "../identity";
import type { Path } from "../path";
import type { Failure } from "../schema/failure";
import type { Fields, FieldTable } from "../schema/field";
import type { Rule } from "../schema/rule";
import type { Properties } from "../value";

/** An object as the service returns it. Its keys are the resource's outputs. */
export type Observed = Properties;

/** An observed object with its id. */
export type ServiceObject = Observed & { id: string };

/** The value that `read` gives a write-only field when the service tells that somebody else has set it. */
export const setElsewhere = Symbol("set elsewhere");

/** How an object is read. */
export interface Reading {
  /** How old a response may be, in milliseconds. Default: 0. */
  readonly age?: number;
  /** Also what no program declares, even if that takes another request. */
  readonly isWhole?: boolean;
}

/**
 * Finds what the service will probably refuse. A warning, never a failure: accounts may have hardware that the catalog
 * does not list.
 */
export interface Warnings {
  /** The fields that matter to `find`. The catalog is asked only when one of them is new or changed. */
  readonly about: readonly string[];
  /** The lists of the catalog that `find` asks for, by the argument that needs them. */
  readonly lists: Readonly<Record<string, (api: Api) => Promise<unknown>>>;
  find(api: Api, inputs: Properties): Promise<Failure[]>;
}

/** Asks the service; undefined where it does not tell, or nobody may ask it. */
export type Ask = <T>(look: (api: Api) => Promise<T>) => Promise<T | undefined>;

/** What the service will refuse for the account: a failure where that is certain, and a warning where it is not. */
export interface Finding extends Failure {
  readonly certain: boolean;
}

/** What a resource takes of what the account allows. */
export interface Taken {
  /** Workers that an endpoint may have. */
  readonly workers?: number;
  /** Workers that it may have more than before. */
  readonly moreWorkers?: number;
  /** USD an hour that it costs at least, more than before. */
  readonly usd?: number;
}

/** What a kind sees of a run. */
export interface RunView {
  /** What the resources that the run has checked take, by their URN. */
  readonly taken: Map<unknown, Taken>;
  readonly lists: { all(kind: Kind, api: Api): Promise<ServiceObject[] | undefined> };
  readonly holders: { of(id: string): string | undefined };
  record(urn: unknown): {
    readonly before: Properties | undefined;
    readonly declared: Properties | undefined;
    readonly compared: { readonly id: string } | undefined;
  };
}

/** The account, for a look at what it allows. */
export interface Account {
  readonly api: Api;
  readonly run: RunView;
  readonly kind: Kind;
  readonly allowance: Allowance;
}

/** What objects of a kind take of what the account allows. */
export interface Takes {
  /** The fields that matter to `find`. The account is asked only when one of them is new or changed. */
  readonly about: readonly string[];
  /** `before` has the inputs in the state; undefined for a resource that has no object yet. */
  find(account: Account, inputs: Properties, before: Properties | undefined): Promise<Finding[]>;
}

/** What an interrupted update of the field `by` has reset: the next one sets it again, though it does not differ from the state. */
export interface Reset {
  readonly by: string;
  /** The fields that the program declares and that have been reset. `look` has the object as it was a moment ago. */
  find(
    api: Api,
    id: string,
    inputs: Properties,
    look: () => Promise<Observed | undefined>,
  ): Promise<string[]>;
}

/** A property of the object whose id stands at a path of the inputs; undefined when nobody knows it yet. */
export type Known = (target: Kind, path: Path, name: string) => Promise<unknown>;

/** What must hold between a resource and the objects that its inputs name. */
export interface References {
  /** The fields that matter to `find`. Nothing is looked up when none of them is new or changed. */
  readonly about: readonly string[];
  find(known: Known, inputs: Properties): Promise<Failure[]>;
}

/**
 * One kind of resource: its fields, its rules and its calls. Everything else in `core/` is the same for all kinds:
 * check, diff, secrets, the state, errors.
 */
export interface Kind {
  /** The name of its class. */
  readonly type: KindName;
  /** For messages: `network volume`. */
  readonly noun: string;
  readonly fields: FieldTable;
  /** Rules between fields. */
  readonly rules?: readonly Rule[];
  /**
   * Names are unique in the account, so a replacement under the same name deletes the old object first. "ignoring case": the service
   * takes names that differ in case alone for the same.
   */
  readonly uniqueName?: true | "ignoring case";
  /** Where an object carries its mark. Default: in the name that podlumi makes up. (API: Mark of ownership) */
  readonly mark?: "env" | "description";
  /** Whether the service can give an object another mark. Default: it can. */
  canMark?(api: Api): Promise<boolean>;
  /** Objects of this kind cost money while they exist. */
  readonly bills?: true;
  /** Not every service has this kind. Its list is then answered 404. */
  readonly mayBeMissing?: true;
  /** An account has exactly one object of this kind, so there is nothing to adopt. */
  readonly single?: true;
  /** What prevents a create, and no update of what exists. It already fails the preview. */
  conflict?(api: Api, inputs: Properties): Promise<Failure | undefined>;
  /** What a program means with invalid inputs, such as those of another kind. It is said in place of what is wrong at its property. */
  mistake?(inputs: Properties, ask: Ask): Promise<Failure | undefined>;
  /** What a program says that the service takes, and that is probably not what it means. A warning. */
  readonly oddities?: readonly Rule[];
  /** What the service will probably refuse, shown in the preview and in `pulumi up`. */
  readonly warnings?: Warnings;
  /** An object's write-only value is what containers get for their references to its name. */
  readonly valueByName?: true;
  /** What must hold between an object and those that it names. It fails in the preview. */
  readonly references?: References;
  /** What objects take of what the account allows. */
  readonly takes?: Takes;
  /** What a replacement would lose for good, in words for a message; undefined when nothing is lost. */
  dataHeld?(properties: Properties): string | undefined;
  /** What a restart of the object loses, as it is now, in words for a message; undefined where nothing runs. */
  lostByRestart?(present: Properties): string | undefined;
  /** Creates the object with one request. Its id is then known before anything else can fail. */
  create(api: Api, body: Properties): Promise<ServiceObject>;
  /**
   * Tries alternative inputs in turn, or the same inputs again, until the service has room. `send` settles unclear
   * answers itself and creates one object or throws. Without this function, the inputs are sent once, as they are.
   */
  alternatives?(
    api: Api,
    inputs: Properties,
    send: (inputs: Properties) => Promise<ServiceObject>,
  ): Promise<ServiceObject>;
  /** All objects of the kind, at most `age` milliseconds old (default: 0); undefined where nothing can be listed. */
  list(api: Api, age?: number): Promise<ServiceObject[] | undefined>;
  /** An object by one request, also one of another account. Without a function for it, only lists tell of an object. */
  one?(api: Api, id: string): Promise<ServiceObject | undefined>;
  /** Why an object that the account can read cannot be changed or deleted, in words that follow its id; undefined where it can be. */
  readOnly?(api: Api, object: ServiceObject): Promise<string | undefined>;
  /** The object; undefined only when the service says there is none. */
  read(api: Api, id: string, state: Properties, reading?: Reading): Promise<Observed | undefined>;
  /** Values of arguments that the service returns under another name or elsewhere. An import needs them. */
  written?(api: Api, id: string, observed: Observed): Promise<Properties>;
  /** Outputs that repeat an input of another name, or a part of it, by that name. They are secret when the input is. */
  readonly repeats?: Readonly<Record<string, string>>;
  /** Outputs that no input is, and that an update of an object with these outputs leaves alone. Without it: none but the id. */
  stable?(olds: Properties, inputs: Properties): readonly string[];
  /** Outputs that podlumi computes from the inputs, the id and the other outputs, which a preview may not know. */
  derive?(inputs: Properties, outputs: Properties): Properties;
  /**
   * Changes the object in place. Absent where nothing can be changed in place. `present` reads the object, and does not lag behind
   * podlumi's own last update.
   */
  update?(
    api: Api,
    id: string,
    patch: Properties,
    inputs: Properties,
    present: () => Promise<Observed>,
  ): Promise<Observed>;
  /** Deletes the object. Returns false when the service says that there is none, which may be a read that lags. */
  delete(api: Api, id: string, state: Properties): Promise<boolean>;
  /**
   * Does what create and update bodies cannot, and waits for readiness. Runs after each create and update, and must be
   * repeatable: when it fails, the object stays in the state, and the next `pulumi up` runs it again. `observed` is the
   * last response. `before` is the state before the update, or empty after a create.
   */
  makeReady?(
    api: Api,
    id: string,
    wanted: Properties,
    observed: Observed,
    before: Properties,
  ): Promise<Observed>;
  /** Of a field whose update resets others for a moment: those that an interrupted one has left so. */
  readonly reset?: Reset;
  /** Whether a read shows that the object has become ready. Without this function, only an update finds that out. */
  isReady?(observed: Observed): boolean;
  /** Whether a state lacks the proof that `makeReady` has done what the program says. */
  isUnproven?(state: Properties, inputs: Properties): boolean;
}

/** A kind with a field for every argument of its class. */
export interface Definition<Args> extends Kind {
  readonly fields: Fields<Args>;
}

/**
 * All objects of a kind, for a survey of an account: a service that does not have the kind has no object of it. Two responses must agree
 * on that, since one may be wrong. What is created or taken over goes by `list`.
 */
export async function surveyed(kind: Kind, api: Api): Promise<ServiceObject[] | undefined> {
  const orNone = (error: unknown) => {
    if (kind.mayBeMissing && isNotFound(error)) return [];
    throw error;
  };
  return kind.list(api).catch((error) => orNone(error) && kind.list(api).catch(orNone));
}

/** Returns the definition unchanged, so that TypeScript checks it against `Args`. */
export function define<Args>(definition: Definition<Args>): Definition<Args> {
  return definition;
}
