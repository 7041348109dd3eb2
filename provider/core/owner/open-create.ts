import type { Kind, ServiceObject } from "../kind/definition";
import { isRecord, type Properties } from "../value";

/**
 * A create call with requests that had no clear answer. The state of the object that the call created keeps it. When such
 * a request takes effect after all, it creates a twin, which the engine can never learn of.
 */
export interface OpenCreate {
  /** Digits of the call in the mark of its objects; undefined where objects carry only their name. */
  readonly call?: string;
  /** The numbers of the requests that had no clear answer. */
  readonly attempts: readonly number[];
  readonly name: string;
  /** The inputs that a look at an object can show. */
  readonly asked: Properties;
  /** Ids of the objects that had the name before the call. */
  readonly before: readonly string[];
  /** When the call ended (RFC 3339). */
  readonly at: string;
}

/**
 * A create call whose unanswered requests may have created twins of `object`: what it created, or a retry by a hook did. Without one, the call
 * failed.
 */
export interface UnfinishedCreate {
  readonly kind: Kind;
  readonly inputs: Properties;
  object: ServiceObject | undefined;
  readonly unanswered: OpenCreate;
  /** It was an earlier run's, so that the program may adopt or read what it has created. */
  readonly isEarlier?: true;
}

/** Milliseconds for which podlumi looks for twins. After that, a refresh warns of them, as of every orphan. */
const lookedFor = 24 * 60 * 60 * 1000;

/** The create call without a clear answer in a state; undefined when there is none, or when podlumi no longer looks for its twins. */
export function openCreateIn(state: Properties, now: number): OpenCreate | undefined {
  if (!isRecord(state.__unanswered)) return undefined;
  const create = state.__unanswered as unknown as OpenCreate;
  return now - Date.parse(create.at) < lookedFor ? create : undefined;
}
