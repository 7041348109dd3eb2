import type { Api } from "../client/api";
import type { Kind, ServiceObject } from "./definition";
import { describe, isUnderItsName, markOf } from "./ownership";
import { covers, isRecord, type Properties } from "./value";

/**
 * A create call of which some requests had no clear end, kept in the state of what it made. What such a request makes
 * after all is a twin: the engine was never told of it, and can never be.
 */
export interface OpenCreate {
  /** Digits of the call, which its objects carry; undefined where they carry no more than their name. */
  readonly call?: string;
  /** Which of its requests had no answer. */
  readonly attempts: readonly number[];
  readonly name: string;
  /** What they asked for, as far as a look shows it. */
  readonly asked: Properties;
  /** Ids of what had that name before the call. */
  readonly before: readonly string[];
  /** When (RFC 3339). */
  readonly at: string;
}

/** Milliseconds for which podlumi looks for twins. After that a refresh tells of them, as of everything that is lost. */
const watched = 24 * 60 * 60 * 1000;

/** The open call of a state that is still watched; undefined for what was made with one clear answer. */
export function openCreateIn(state: Properties, now: number): OpenCreate | undefined {
  if (!isRecord(state.__unanswered)) return undefined;
  const call = state.__unanswered as unknown as OpenCreate;
  return now - Date.parse(call.at) < watched ? call : undefined;
}

/**
 * Among all objects of a kind, those that the same call made beside the one that the state has: one for each request without
 * an answer at most. A copy that a person made of the object carries the request that was answered.
 */
export function twinsAmong(
  objects: readonly ServiceObject[],
  kind: Kind,
  own: string,
  call: OpenCreate,
): ServiceObject[] {
  const others = objects.filter(({ id }) => id !== own && !call.before.includes(id));
  if (call.call === undefined) {
    const found = others.filter((object) => object.name === call.name && hasInputs(object, call.asked));
    return found.length > call.attempts.length ? [] : found;
  }
  return call.attempts.flatMap((attempt) => {
    const found = others.filter((object) => {
      const mark = markOf(kind, object);
      return mark?.call === call.call && mark?.attempt === attempt && isUnderItsName(mark, object);
    });
    return found.length > 1 ? [] : found;
  });
}

function hasInputs(object: ServiceObject, asked: Properties): boolean {
  return Object.entries(asked).every(([name, value]) => !(name in object) || covers(object[name], value));
}

/** Deletes twins, and says so of each. */
export async function deleteTwins(
  api: Api,
  kind: Kind,
  twins: readonly ServiceObject[],
  tell: (text: string) => void,
): Promise<void> {
  const remove = async (twin: ServiceObject) => {
    await kind.delete(api, twin.id, twin);
    tell(
      `deleted the ${describe(kind, twin)}: a request without an answer had made it beside the one that is in the state`,
    );
  };
  await Promise.all(twins.map(remove));
}
