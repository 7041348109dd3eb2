import type { Allowance } from "../../client/allowance";
import type { Api } from "../../client/api";
import { isNotFound } from "../../client/errors";
import type { Path } from "../../path";
import type { Failure } from "../../schema/failure";
import type { Fields, FieldTable } from "../../schema/field";
import type { Rule } from "../../schema/rule";
import type { Properties } from "../../value";
import type { Finding, Resources } from "./account";
import type { Advice } from "./advice";
import type { Data } from "./data";
import type { Naming } from "./naming";
import type { Observed, Reading, ServiceObject } from "./object";
import type { Outputs } from "./outputs";
import type { Readiness } from "./readiness";

export type { Observed, ServiceObject } from "./object";

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

/** Conditions between a resource and the objects that its inputs name. They fail in the preview. */
export interface References {
  /** The fields that matter to `find`. Nothing is looked up when none of them is new or changed. */
  readonly about: readonly string[];
  find(known: Known, inputs: Properties): Promise<Failure[]>;
}

/** A property of the object whose id stands at a path of the inputs; undefined when nobody knows it yet. */
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
}

/** The account, for a look at what it allows. */
export interface Account {
  readonly api: Api;
  readonly run: RunView;
  readonly kind: Kind;
  readonly allowance: Allowance;
}

/** The part of a run that a kind sees. */
export interface RunView extends Resources {
  /** Workers that each checked endpoint may have more than before, by URN. */
  readonly moreWorkers: Map<unknown, number>;
  readonly lists: { atFirst(kind: Kind, api: Api): Promise<ServiceObject[] | undefined> };
}

/** A kind with a field for every argument of its class. */
export interface Definition<Args> extends Kind {
  readonly fields: Fields<Args>;
}

/** All objects of a kind, for a survey of an account. Two responses must agree that the service does not have the kind. */
export async function surveyed(kind: Kind, api: Api): Promise<ServiceObject[] | undefined> {
  const orNone = (error: unknown) => {
    if (kind.mayBeMissing && isNotFound(error)) return [];
    throw error;
  };
  return kind.list(api).catch((error) => orNone(error) && kind.list(api).catch(orNone));
}
