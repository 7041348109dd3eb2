import type { Api } from "../client/api";
import type { Kind, Made } from "./definition";
import { isUnderItsName, markOf, toldObject } from "./ownership";
import { isRecord, type Properties } from "./value";

/**
 * A create call of which some requests had no clear end, kept in the state of what it made. What such a request makes
 * after all is a twin: the engine was never told of it, and can never be.
 */
export interface Unanswered {
  /** Digits of the call, which its objects carry; undefined where they carry no more than their name. */
  readonly call?: string;
  readonly name: string;
  /** Ids of what had that name before the call. */
  readonly before: readonly string[];
  /** When (RFC 3339). */
  readonly at: string;
}

/** Milliseconds for which each up looks for twins. After that a refresh tells of them, as of everything that is lost. */
const watched = 24 * 60 * 60 * 1000;

/** The open call of a state; undefined for what was made with one clear answer. */
export function unansweredIn(state: Properties): Unanswered | undefined {
  return isRecord(state.__unanswered) ? (state.__unanswered as unknown as Unanswered) : undefined;
}

/** Whether an up still looks for the twins of a call. */
export function isWatched({ at }: Unanswered, now: number): boolean {
  return now - Date.parse(at) < watched;
}

/** Among all objects of a kind, those that the same call made beside the one that the state has. */
export function twinsAmong(objects: readonly Made[], kind: Kind, own: string, call: Unanswered): Made[] {
  return objects.filter((object) => {
    if (object.id === own) return false;
    const mark = markOf(kind, object);
    if (call.call !== undefined) return mark?.call === call.call && isUnderItsName(mark, object);
    return object.name === call.name && !call.before.includes(object.id);
  });
}

/** Deletes twins, and says so of each. */
export async function deleteTwins(
  api: Api,
  kind: Kind,
  twins: readonly Made[],
  tell: (text: string) => void,
): Promise<void> {
  const remove = async (twin: Made) => {
    await kind.delete(api, twin.id, twin);
    tell(
      `deleted the ${toldObject(kind, twin)}: a request without an answer had made it beside the one that is in the state`,
    );
  };
  await Promise.all(twins.map(remove));
}
