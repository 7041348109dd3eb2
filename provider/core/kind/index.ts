import type { Allowance } from "../../client/allowance";
import type { Api } from "../../client/api";
import { isNotFound } from "../../client/errors";
import type { Path } from "../../path";
import type { Failure } from "../../schema/failure";
import type { Fields, FieldTable } from "../../schema/field";
import type { Rule } from "../../schema/rule";
import type { ShapeOf } from "../../schema/shape";
import type { Properties } from "../../value";
import type { Naming } from "./naming";

/** One kind of resource. The core tells kinds apart by what stands here, and by their fields. */
export interface Kind {
  /** The name of its class. */
  readonly type: string;
  /** For messages: `network volume`. */
  readonly noun: string;
  readonly fields: FieldTable;
  /** Rules between fields. */
  readonly rules?: readonly Rule[];
  /** Not every service has this kind. Its list is then answered 404. */
  readonly mayBeMissing?: true;
  /** An account has exactly one object of this kind, so there is nothing to adopt. */
  readonly single?: true;

  /** Creates the object with one request. Its id is then known before anything else can fail. */
  create(api: Api, body: Properties): Promise<ServiceObject>;
  /** Tries alternative inputs, or the same again, until the service has room. `send` creates one object or throws. Default: one try. */
  alternatives?(
    api: Api,
    inputs: Properties,
    send: (inputs: Properties) => Promise<ServiceObject>,
  ): Promise<ServiceObject>;
  /** All objects of the kind, at most `age` milliseconds old (default: 0); undefined where nothing can be listed. */
  list(api: Api, age?: number): Promise<ServiceObject[] | undefined>;
  /** An object by one request, also one of another account. Without a function for it, only lists tell of an object. */
  one?(api: Api, id: string): Promise<ServiceObject | undefined>;
  /** The object; undefined only when the service says there is none. */
  read(api: Api, id: string, state: Properties, reading?: Reading): Promise<Observed | undefined>;
  /** Absent where nothing can be changed in place. `present` reads the object, and does not lag behind podlumi's own last update. */
  update?(
    api: Api,
    id: string,
    patch: Properties,
    inputs: Properties,
    present: () => Promise<Observed>,
  ): Promise<Observed>;
  /** Deletes the object. Returns false when the service says that there is none, which may be a read that lags. */
  delete(api: Api, id: string, state: Properties): Promise<boolean>;

  readonly outputs: Outputs;
  readonly readiness?: Readiness;
  readonly naming?: Naming;
  readonly data?: Data;
  readonly references?: References;
  readonly account?: InAccount;
  readonly advice?: Advice;
}

/** A kind with a field for every argument of its class. */
export interface Definition<Args> extends Kind {
  readonly fields: Fields<Args>;
}

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

/** How the outputs of a resource come from its inputs, and the other way round. */
export interface Outputs {
  readonly shape: ShapeOf<Record<string, unknown>>;
  /** Values of arguments that the service returns under another name or elsewhere. An import needs them. */
  written?(observed: Observed, api: Api, id: string): Properties | Promise<Properties>;
  /** Outputs that repeat an input of another name, or a part of it, by that name. They are secret when the input is. */
  readonly repeats?: Readonly<Record<string, string>>;
  /** Outputs that no input is, and that an update of an object with these outputs leaves alone, besides the id and `createdAt`. */
  stable?(olds: Properties, inputs: Properties): readonly string[];
  /** Outputs that podlumi computes from the inputs, the id and the other outputs, which a preview may not know. */
  derive?(inputs: Properties, outputs: Properties): Properties;
}

/** The steps after the request of a create or an update. */
export interface Readiness {
  /** Runs after each create and update, and again in the next `pulumi up` when it fails. */
  make(unready: Unready): Promise<Observed>;
  /** Fields that `make` may leave otherwise than the state has them when it fails. */
  readonly unsettled?: readonly string[];
  /** The release that an update is about to replace; undefined where nobody waits for the new one. Asked before the update is sent. */
  previousRelease?(api: Api, id: string, patch: Properties, inputs: Properties): Promise<number | undefined>;
  /** A read shows that the object is ready. Without this function, only an update finds that out. */
  isSeen?(observed: Observed): boolean;
  /** The state does not prove that `make` has done what the program says. */
  isUnproven?(state: Properties, inputs: Properties): boolean;
}

/** An object that a request has created or changed. */
export interface Unready {
  readonly api: Api;
  readonly id: string;
  /** Everything that was asked of the service. */
  readonly wanted: Properties;
  /** The last response. */
  readonly observed: Observed;
  /** The state before an update, or empty after a create. */
  readonly before: Properties;
  /** This call has created the object. */
  readonly isNew: boolean;
  readonly previousRelease?: number | undefined;
}

/** The data in objects of a kind. */
export interface Data {
  /** Lost for good by a replacement, in words for a message; undefined when nothing is. */
  held(properties: Properties): string | undefined;
  /** Each update restarts the object, so that an update without a clear answer is not simply sent again. */
  readonly restartsOnUpdate?: true;
  /** Lost by a restart of the object as it is now, in words for a message; undefined where nothing runs. */
  lostByRestart?(present: Properties): string | undefined;
}

/** Conditions between a resource and the objects that its inputs name. They fail in the preview. */
export interface References {
  /** The fields that matter to `find`. Nothing is looked up when none of them is new or changed. */
  readonly about: readonly string[];
  find(known: Known, inputs: Properties): Promise<Failure[]>;
}

/** A property of the object whose id stands at a path of the inputs; undefined when nobody knows it yet. That there is none becomes a failure. */
export type Known = (target: Kind, path: Path, name: string) => Promise<unknown>;

/** The objects of a kind take of what the account allows, or belong to another account. */
interface InAccount {
  readonly takes?: Takes;
  /** Why an object that the account can read cannot be changed or deleted, in words that follow its id; undefined where it can be. */
  readOnly?(api: Api, object: ServiceObject): Promise<string | undefined>;
}

/** The quotas of the account that objects take. */
export interface Takes {
  /** The fields that matter to `find`. The account is asked for a new object, and when one of them is new or changed. */
  readonly about: readonly string[];
  /** `before` has the inputs in the state; undefined for a resource that has no object yet. */
  find(account: Account, inputs: Properties, before: Properties | undefined): Promise<Finding[]>;
  /** Tries a refused request again while another resource of this run has yet to give up what this one takes. Default: one try. */
  retry?<T>(run: RunView, api: Api, request: () => Promise<T>): Promise<T>;
}

/** The account, for a look at what it allows. */
export interface Account {
  readonly api: Api;
  readonly run: RunView;
  readonly kind: Kind;
  readonly allowance: Allowance;
}

/** The part of a run that a kind sees. */
export interface RunView {
  readonly holders: { of(id: string): string | undefined };
  readonly lists: { atFirst(kind: Kind, api: Api): Promise<ServiceObject[] | undefined> };
  /** Workers that each checked endpoint may have more than before, by URN. */
  readonly moreWorkers: Map<unknown, number>;
  record(urn: unknown): {
    readonly declared: Properties | undefined;
    readonly compared: Compared | undefined;
    /** The requests of its update are over. */
    readonly isUpdateOver: boolean;
  };
}

/** The object of a resource that this run has compared with the program. */
export interface Compared {
  readonly id: string;
  readonly state: Properties;
  /** The fields that differ. */
  readonly changed: readonly string[];
  /** podlumi itself asks for another one. */
  readonly isReplaced: boolean;
}

/** A refusal to expect: a failure where it is certain, otherwise a warning. */
export interface Finding extends Failure {
  readonly certain: boolean;
}

/** Findings of a preview beyond fields and rules. */
export interface Advice {
  /** Prevents a create, and no update. It fails the preview. */
  conflict?(api: Api, inputs: Properties): Promise<Failure | undefined>;
  /** The intent behind invalid inputs, such as those of another kind: said in place of the fault at its property. */
  mistake?(inputs: Properties, ask: Ask): Promise<Failure | undefined>;
  readonly warnings?: Warnings;
}

/** Asks the service; undefined where it does not tell, or nobody may ask it. */
export type Ask = <T>(look: (api: Api) => Promise<T>) => Promise<T | undefined>;

/** Only a warning: accounts may have hardware that the catalog does not list. */
export interface Warnings {
  /** The fields that matter to `find`. The catalog is asked only when one of them is new or changed. */
  readonly about: readonly string[];
  /** The lists of the catalog that `find` asks for, by the argument that needs them. */
  readonly lists: Readonly<Record<string, (api: Api) => Promise<unknown>>>;
  find(api: Api, inputs: Properties): Promise<Failure[]>;
}

/** Sends what takes of a quota of the account, again while another resource of the run has yet to give some of it up. */
export function sendTaking<T>({ account }: Kind, run: RunView, api: Api, send: () => Promise<T>): Promise<T> {
  const { retry } = account?.takes ?? {};
  return retry === undefined ? send() : retry(run, api, send);
}

/** All objects of a kind, for a survey of an account. Two responses must agree that the service does not have the kind. */
export async function surveyed(kind: Kind, api: Api): Promise<ServiceObject[] | undefined> {
  const orNone = (error: unknown) => {
    if (kind.mayBeMissing && isNotFound(error)) return [];
    throw error;
  };
  return kind.list(api).catch((error) => orNone(error) && kind.list(api).catch(orNone));
}
