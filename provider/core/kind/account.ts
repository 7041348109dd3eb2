import type { Allowance } from "../../client/allowance";
import type { Api } from "../../client/api";
import type { Failure } from "../../schema/failure";
import type { Properties } from "../../value";
import type { ServiceObject } from "./object";

/** The objects of a kind take of what the account allows, or belong to another account. */
export interface InAccount<Kind> {
  readonly takes?: TakesOf<Kind>;
  /** Why an object that the account can read cannot be changed or deleted, in words that follow its id; undefined where it can be. */
  readOnly?(api: Api, object: ServiceObject): Promise<string | undefined>;
}

/** The quotas of the account that objects take. */
export interface TakesOf<Kind> {
  /** The fields that matter to `find`. The account is asked only when one of them is new or changed. */
  readonly about: readonly string[];
  /** `before` has the inputs in the state; undefined for a resource that has no object yet. */
  find(account: AccountOf<Kind>, inputs: Properties, before: Properties | undefined): Promise<Finding[]>;
}

/** A refusal to expect: a failure where it is certain, otherwise a warning. */
export interface Finding extends Failure {
  readonly certain: boolean;
}

/** The account, for a look at what it allows. */
export interface AccountOf<Kind> {
  readonly api: Api;
  readonly run: RunViewOf<Kind>;
  readonly kind: Kind;
  readonly allowance: Allowance;
}

/** A resource's share of the account's quotas. */
export interface Taken {
  /** Workers that it may have more than before. */
  readonly moreWorkers?: number;
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

/** The part of a run that a kind sees. */
export interface RunViewOf<Kind> {
  /** The shares of the checked resources, by URN. */
  readonly taken: Map<unknown, Taken>;
  readonly lists: { all(kind: Kind, api: Api): Promise<ServiceObject[] | undefined> };
  readonly holders: { of(id: string): string | undefined };
  record(urn: unknown): {
    readonly before: Properties | undefined;
    readonly declared: Properties | undefined;
    readonly compared: Compared | undefined;
  };
}
