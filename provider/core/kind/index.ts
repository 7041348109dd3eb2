import type { Api } from "../../client/api";
import { isNotFound } from "../../client/errors";
import type { Fields, FieldTable } from "../../schema/field";
import type { Rule } from "../../schema/rule";
import type { Properties } from "../../value";
import type { AccountOf, InAccount, RunViewOf, TakesOf } from "./account";
import type { Advice } from "./advice";
import type { Data } from "./data";
import type { Naming } from "./naming";
import type { Observed, Reading, ServiceObject } from "./object";
import type { Outputs } from "./outputs";
import type { Readiness } from "./readiness";
import type { KnownOf, ReferencesOf } from "./references";

export type { Observed, ServiceObject } from "./object";

/** One kind of resource. All else in `core/` is the same for every kind. */
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
  readonly account?: InAccount<Kind>;
  readonly advice?: Advice;
}

export type Account = AccountOf<Kind>;
export type Takes = TakesOf<Kind>;
export type RunView = RunViewOf<Kind>;
export type References = ReferencesOf<Kind>;
export type Known = KnownOf<Kind>;

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
