import { isUnclear } from "../../client/errors";
import { log } from "../../engine/log";
import type { Differences } from "../../schema/field";
import { covers, filtered, isRecord, mapped, type Properties } from "../../value";
import type { Edit } from "../call";
import { stateWithoutDrift } from "../compare/drift";
import { explain, HalfDoneError, LeavingError } from "../errors";
import type { Observed } from "../kind";
import { isMarkedByName } from "../kind/naming";
import { markDigits, markInState, withoutMark } from "../mark/carried";
import { provenByNow, untilMarkShows } from "../own/object";
import { declaration } from "../state/declared";
import { internalsOf } from "../state/internals";
import { uncleared, visibleInputs } from "../state/state";
import {
  declaredAfter,
  type UnansweredCreate,
  unansweredCreateIn,
  unclearAfter,
  unclearFields,
  unfinishedIn,
  withUnfinished,
} from "../state/unfinished";
import { title } from "../telling";
import type { Sent } from "./change";

/** The object of a create or an update. */
export interface Obtained<Seen = Observed> extends Sent<Seen> {
  /** `found`: the create adopts the object, or takes it over. */
  readonly origin: "created" | "found" | "updated";
  /** Everything that was asked of the service. */
  readonly wanted: Properties;
  /** The create call, if some of its requests had no clear answer. */
  readonly unanswered?: UnansweredCreate | undefined;
  /** The object had the mark of another resource, whose stack is to see that it has this one's. */
  readonly isReMarked?: boolean;
}

/** The result of a create or an update. `state` is from before the update, and empty after a create. */
export interface Outcome extends Edit, Obtained {
  /** The fields that the update sent; absent after a create. */
  readonly changes?: Differences;
  /** Seconds to wait at most. It overrides `waitTimeout` of the inputs. */
  readonly timeout?: number | undefined;
}

/** Makes an object ready and returns its state. An error carries the state, so that the engine keeps the object. */
export async function finish(outcome: Outcome): Promise<Properties> {
  const { kind, run, id, origin, state: before, wanted, observed, previousRelease, timeout, api } = outcome;
  // A refresh and a destroy with another account's key find nothing. By this, they know why.
  const account = before.__account ?? (await run.accounts.own(api()));
  const internals = internalsAfter(outcome, account);
  const within = timeout === undefined ? wanted : { ...wanted, waitTimeout: timeout };
  // Readiness can take long, as for room on a host, and change the object then.
  const existing = provenByNow({ ...outcome, state: { ...before, ...internals } });
  try {
    if (outcome.isReMarked) await untilMarkShows(existing);
    const isNew = origin === "created";
    const unready = { api: existing.api(), id, wanted: within, observed, before, isNew, previousRelease };
    return stateAfter(outcome, internals, await (kind.readiness?.make(unready) ?? observed));
  } catch (error) {
    throw notReady(outcome, internals, error);
  }
}

/** podlumi's own keys in the state. */
function internalsAfter(outcome: Outcome, account: unknown): Properties {
  const { kind, run, origin, state: before, inputs, observed, isWritten } = outcome;
  const mark = origin === "updated" ? markAfterUpdate(outcome) : markDigits(kind, observed);
  const made = origin === "created" ? "created" : "changed";
  return internalsOf({
    ...inputs,
    __at: isWritten ? { ...Object(before.__at), [made]: run.timestamp() } : (before.__at ?? {}),
    __mark: mark,
    __asked: kind.data && visibleInputs(kind.fields, inputs),
    __account: account,
  });
}

/** An update writes no mark but that in a new name, and never takes the mark of another resource for its own. */
function markAfterUpdate({ kind, state, inputs }: Outcome): string | undefined {
  return (isMarkedByName(kind) ? markDigits(kind, inputs) : undefined) ?? markInState(state);
}

/** `failure` has the fields that a request without a clear answer may have changed. */
function stateAfter(
  outcome: Outcome,
  internals: Properties,
  seen: Observed,
  failure?: { readonly unclear: readonly string[] },
): Properties {
  const { kind, run, state: before, inputs, observed, changes, unanswered } = outcome;
  const isWrittenAgain = Object.keys(kind.fields).some((name) => !covers(seen[name], observed[name]));
  const update = changes && { from: before, sent: changes };
  const { state, drift } = stateWithoutDrift(kind.fields, seen, inputs, { ...inputs, ...before }, update);
  if (drift.length > 0) log(inputs.__urn, driftNote(drift));
  const unclear = failure?.unclear ?? [];
  // What an update without a clear answer was to add stays declared. Of some of it, nothing but a replacement takes it back.
  const staysDeclared = (name: string) => failure !== undefined || unclearFields(before).includes(name);
  const left = filtered(uncleared(kind.fields, state, before), staysDeclared);
  const declared = { ...left, ...declaration(state) };
  return {
    ...state,
    ...internals,
    ...(isWrittenAgain && { __at: { ...Object(internals.__at), changed: run.timestamp() } }),
    __declared: declaredAfter({ __declared: declared }, unclear, inputs),
    ...withUnfinished({
      create: unanswered ?? unansweredCreateIn(before, run.hearing.now()),
      isNotReady: failure === undefined ? undefined : true,
      unclear: unclearAfter({}, unclear, run.timestamp()),
    }),
  };
}

/** The error for an object that is not ready, with the state that is kept of it. */
function notReady(outcome: Outcome, internals: Properties, error: unknown): Error {
  const { kind, id, inputs, observed } = outcome;
  const last = error instanceof HalfDoneError ? error.observed : observed;
  const what = `${title(kind, inputs)} (${id}) exists but is not ready`;
  const { message } = explain(error, what, outcome);
  const state = stateAfter(outcome, internals, last, { unclear: unclearIn(outcome, error) });
  return new LeavingError(message, id, { ...state, __provider: inputs.__provider });
}

/** Fields beside the bodies of create and update, such as a start, that a request without a clear answer may have changed. */
function unclearIn({ kind, inputs, changes }: Outcome, error: unknown): string[] {
  if (!isUnclear(error) && !(error instanceof Error && isUnclear(error.cause))) return [];
  const asked = changes === undefined ? Object.keys(inputs) : [...changes.keys()];
  const isMoved = (name: string) => kind.fields[name]?.notInBody && !kind.fields[name]?.writeOnly;
  return asked.filter(isMoved);
}

/** Nothing else tells of it before the next refresh, as when an earlier update had no answer and took effect all the same. */
const driftNote = (names: readonly string[]) =>
  `${names.join(", ")}: not what the program says, and not part of this update. \`pulumi refresh\` shows it`;

/** The error of an update, with the state that is kept where it has changed something, or may have. */
export function failedUpdate(edit: Edit, error: unknown): Error {
  const { kind, run, id, state, inputs } = edit;
  const what = `could not update ${title(kind, inputs)} (${id})`;
  const explained = explain(error, what, edit);
  if (!(error instanceof HalfDoneError)) return explained;
  const { observed, unclear: fields } = error;
  // Of an object, requests have changed some keys.
  const whole = (value: unknown, name: string) =>
    isRecord(value) ? { ...Object(state[name]), ...value } : value;
  const left = withoutMark({ ...state, ...mapped(observed, whole) });
  const unclear = unclearAfter(state, fields, run.timestamp()) ?? unfinishedIn(state).unclear;
  const properties = {
    ...left,
    __declared: declaredAfter(left, fields, inputs),
    ...withUnfinished({ ...unfinishedIn(state), unclear }),
    __provider: inputs.__provider,
  };
  return new LeavingError(explained.message, id, properties);
}
