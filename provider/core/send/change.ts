import { ExpectedError, extended, isNotFound, isRefusal } from "../../client/errors";
import { log } from "../../engine/log";
import type { Differences } from "../../schema/field";
import { isEmpty, keyed, type Properties } from "../../value";
import { updateMayHaveChanged, updateMayTakeEffect } from "../../words/requests";
import type { Edit } from "../call";
import { besidePresent, keepsPart } from "../compare/parts";
import { HalfDoneError } from "../errors";
import { type Kind, type Observed, type ServiceObject, sendTaking } from "../kind";
import { isMarkedByName } from "../kind/naming";
import { markFor, partsOfDescription, withMark } from "../mark/carried";
import { adoption, newCallDigits, ownerOf } from "../mark/mark";
import { retryWhileTaken } from "../names/taken-names";
import { declaration } from "../state/declared";
import { restartsLimit, withExpiry } from "../state/expiry";
import { untilShown } from "../state/lag";
import { toSendAgain } from "../state/platform";
import { body } from "../state/state";
import { unclearFields } from "../state/unfinished";
import { isDone, isUnclearAfter, readDone, sendUntilSeen } from "./effect";
import { readPresent, readThere } from "./look";

/** One update of an object. */
interface UpdateCall extends Edit {
  readonly changes: Differences;
  /** The inputs, with values that clear what the program has removed. */
  readonly wanted: Properties;
  /** The object gets the resource's own mark in place of another one. */
  readonly rewritesMark?: boolean;
}

/** The object by the last response. */
export interface Sent<Seen = Observed> {
  readonly observed: Seen;
  /** A request has written into the object, as that of a create. */
  readonly isWritten: boolean;
  /** Of an endpoint: the release that the update has replaced. */
  readonly previousRelease?: number | undefined;
}

/** Sends all differences in one update. The object is read first where a part of a field stays as it is. */
export async function sendChanges(call: UpdateCall): Promise<Sent> {
  const { kind, inputs } = call;
  const { update } = kind;
  const mark = markAgain(call);
  const build = () => patchOf(call, mark);
  const patch = update === undefined ? {} : await build();
  if (update === undefined || isEmpty(patch)) return { observed: await readPresent(call), isWritten: false };
  // To send it once more would restart the object once more.
  if (kind.data?.restartsOnUpdate && (await isDone(call, patch))) {
    log(inputs.__urn, doneNote);
    return { observed: await readDone(call, patch), isWritten: false };
  }
  return send(call, update, patch, build);
}

const doneNote = "is already as this update would make it, as after an interrupted run: nothing is sent";

/** The fields that differ and that the body of an update has, with the values to ask for. */
function changedValues({ kind, changes, wanted }: UpdateCall): Properties {
  const names = [...changes.keys()].filter((name) => {
    const { notInBody, createOnly } = kind.fields[name] ?? {};
    return !notInBody && !createOnly;
  });
  return keyed(names, (name) => wanted[name]);
}

/** The resource's own mark, for an object that carries another one, unless that is in its name. */
function markAgain({ kind, inputs, rewritesMark, api }: UpdateCall): string | undefined {
  const owner = rewritesMark && !isMarkedByName(kind) ? ownerOf(inputs) : undefined;
  return (
    owner && markFor(kind, owner, inputs, { call: newCallDigits(), attempt: adoption, sentAt: api().now() })
  );
}

/** The values that change, with the parts of fields that the object keeps, with a mark, and with a time limit that begins anew. */
async function patchOf(call: UpdateCall, mark: string | undefined): Promise<Properties> {
  const { kind, state, inputs, changes, wanted, api } = call;
  const changed = changedValues(call);
  const parts = Object.keys(changed).filter((name) =>
    keepsPart(kind.fields[name], changed[name], state[name]),
  );
  const isLimited = "expiresAfter" in kind.fields && restartsLimit(changes, inputs);
  if (parts.length === 0 && mark === undefined && !isLimited) return changed;
  const present = await readPresent(call, parts);
  const marksEnv = mark !== undefined && kind.naming?.mark === "env";
  const writesEnv = isLimited || marksEnv || parts.some((name) => kind.fields[name]?.shared);
  const held: Observed = writesEnv ? { ...present, env: toSendAgain(present.env) } : present;
  const declared = declaration(state);
  const kept = keyed(parts, (name) =>
    besidePresent(kind.fields[name], held[name], changed[name], declared[name], state[name]),
  );
  const whole = { ...(writesEnv && { env: held.env }), ...changed, ...kept };
  // The description stands before the mark, also where the update does not change it.
  const { text: description } = partsOfDescription(present.description);
  const described = kind.naming?.mark === "description" ? { description, ...whole } : whole;
  const marked = withMark(kind, described, mark);
  const name = wanted.name ?? present.name;
  return isLimited ? withExpiry(marked, inputs.expiresAfter, name, api().now()) : marked;
}

/** The requests of an update. */
interface Sending extends UpdateCall {
  readonly update: NonNullable<Kind["update"]>;
  /** One of them had no clear answer. */
  isUnclear: boolean;
  previousRelease?: number | undefined;
}

/** `build` makes the patch after another look at the object. */
async function send(
  call: UpdateCall,
  update: Sending["update"],
  patch: Properties,
  build: () => Promise<Properties>,
): Promise<Sent> {
  const { kind, run, id, state, api } = call;
  const sending: Sending = { ...call, update, isUnclear: false };
  const request = () =>
    kind.data?.restartsOnUpdate
      ? sendUntilSeen(call, patch, build, (latest) => attempt(sending, latest))
      : attempt(sending, patch);
  const act = () => request().catch((error) => againWhereThere(call, error, request));
  const settle = (holder: ServiceObject, error: Error) => {
    // Its own object has the name, so the refusal is about something else.
    if (holder.id === id) throw error;
    return undefined;
  };
  const taking = () => sendTaking(kind, run, api(), act);
  const observed = await retryWhileTaken(call, taking, { settle }).catch((error) => {
    throw sending.isUnclear ? unclearError(error, sentBy(call)) : orStillUnclear(error, state);
  });
  return { observed, isWritten: true, previousRelease: sending.previousRelease };
}

async function attempt(sending: Sending, patch: Properties): Promise<Observed> {
  const { kind, id, inputs, update, api } = sending;
  sending.previousRelease = await kind.readiness?.previousRelease?.(api(), id, patch, inputs);
  const present = () => readPresent(sending, Object.keys(patch));
  try {
    return await update(api(), id, body(kind.fields, patch), inputs, present);
  } catch (error) {
    sending.isUnclear ||= isUnclearAfter(error);
    throw error;
  }
}

/** A read decides whether the object is gone. Where it shows what was created a moment ago, a request may still find nothing for a while. */
async function againWhereThere(
  call: UpdateCall,
  error: unknown,
  request: () => Promise<Observed>,
): Promise<Observed> {
  if (isRefusal(error) || isMissing(error)) await readThere(call);
  if (!isMissing(error)) throw error;
  const unlessMissing = (failed: unknown) => (isMissing(failed) ? undefined : Promise.reject(failed));
  const done = await untilShown(call, "created", () => request().catch(unlessMissing));
  return done ?? request();
}

/** If an earlier update took effect unseen, taking it back is a change of its own, which the service may refuse. */
function orStillUnclear(error: unknown, state: Properties): unknown {
  const unclear = unclearFields(state);
  if (unclear.length === 0 || !isRefusal(error)) return error;
  return extended(error, updateMayHaveChanged(unclear));
}

/** The fields whose values an update sends. The time limit stands in the variables. */
function sentBy(call: UpdateCall): string[] {
  const limit = call.changes.has("expiresAfter") ? ["expiresAfter"] : [];
  return [...Object.keys(changedValues(call)), ...limit];
}

/** The state has to know what the object may have by now: without a difference, no later `up` would look. */
function unclearError(error: unknown, fields: readonly string[]): unknown {
  if (!(error instanceof ExpectedError)) return error;
  const [cause, changed] = error instanceof HalfDoneError ? [error.cause, error.observed] : [error, {}];
  const { message } = extended(error, updateMayTakeEffect) as ExpectedError;
  return new HalfDoneError(message, error.code, changed, { cause }, fields);
}

/** The service did not show the object. */
function isMissing(error: unknown): boolean {
  return isNotFound(error) || (error instanceof ExpectedError && error.code === "PODLUMI-GONE");
}
