import type { UpdateResult } from "@pulumi/pulumi/dynamic";
import { ExpectedError, errorText, isNotFound, isRefusal } from "../../client/errors";
import { log } from "../../engine/log";
import { anotherOwnerError, heldError, leaveNameOut, losesMark, objectOfAnother } from "../another-owner";
import type { Kind, Observed } from "../definition";
import { type Differences, declaration, differences } from "../diff";
import { besidePresent, keepsPart } from "../drift";
import { explain, gone, HalfDoneError, leaving } from "../errors";
import { beginsAnew, withExpiry } from "../expiry";
import { adoption, newCallDigits, ownerOf } from "../mark";
import { StateUnknownError } from "../owners";
import { describe, markFor, withMark } from "../ownership";
import { toSendAgain } from "../platform";
import { finish } from "../readiness";
import type { Run } from "../run";
import { body, driftBeside, wantedInputs } from "../state";
import { retryWhileTaken } from "../taken-names";
import { retryWhileGivenUp } from "../taken-workers";
import { explaining, title } from "../telling";
import { deleteTwins, openCreateIn, twinsAmong } from "../twins";
import { isRecord, type Properties } from "../value";
import { readBeyondLag, type Written, writtenNow } from "../written";
import { onceShown, untilShown } from "./read";

/** Changes an object into what the program says. */
export async function update(
  kind: Kind,
  run: Run,
  id: string,
  state: Properties,
  news: Properties,
  timeout?: number,
): Promise<UpdateResult> {
  run.owners.note(id, news);
  const wanted = wantedInputs(kind.fields, state, news);
  const act = async () => {
    await deleteTwinsInState(kind, run, id, state);
    const changes = await differences(kind.fields, state, news, () => run.api());
    // The comparison may have had no answer in time, and without a difference it does not look.
    const object = await objectOfAnother(kind, run, id, state);
    if (object !== undefined) throw anotherOwnerError(kind, object);
    const losing = changes.has("name") && losesMark(kind, state, news);
    const others = losing ? await run.owners.otherHolders({ id, name: state.name }, news, "now") : [];
    if (others.length > 0) throw heldError(kind, id, others, leaveNameOut);
    const done = await sendChanges(kind, run, { id, state, changes, marksAnew: false }, news, wanted);
    return { ...done, sent: changes };
  };
  const what = `could not update ${title(kind, news)} (${id})`;
  const done = await explaining(what, kind, news, () => act().catch(orHalfDone), state).finally(() => {
    run.notes(news.__urn).updated = true;
  });
  if (done instanceof HalfDoneError) {
    const { message } = explain(done, what, kind.fields, news, state);
    throw leaving(message, id, { ...withParts(state, done.changed), __provider: news.__provider });
  }
  const { observed, written, sent } = done;
  const drift = driftBeside(kind.fields, observed, news, { from: state, sent });
  if (drift.length > 0) log(news.__urn, driftNote(drift));
  return {
    outs: await finish(kind, run, id, news, wanted, observed, { oldState: state, sent, written, timeout }),
  };
}

function orHalfDone(error: unknown): HalfDoneError {
  if (error instanceof HalfDoneError) return error;
  throw error;
}

/** A state with what requests have changed. Of an object, that is some of its keys. */
function withParts(state: Properties, changed: Properties): Properties {
  const entries = Object.entries(changed).map(([name, value]) => [
    name,
    isRecord(value) ? { ...Object(state[name]), ...value } : value,
  ]);
  return { ...state, ...Object.fromEntries(entries) };
}

/** Nothing else tells of it before the next refresh, as when an earlier update had no answer and took effect all the same. */
function driftNote(names: readonly string[]): string {
  const [are, them] = names.length === 1 ? ["is", "it"] : ["are", "them"];
  return `${names.join(", ")} ${are} not what the program says, and not part of this update: \`pulumi refresh\` shows ${them}`;
}

/** An existing object and its differences. */
interface Present {
  readonly id: string;
  readonly state: Properties;
  readonly changes: Differences;
  /** It gets the resource's own mark in place of another one. */
  readonly marksAnew: boolean;
  /** The program adopts it. */
  readonly adopted?: boolean;
}

/**
 * Sends all differences in one update. Where it has to keep a part of the object, such as a variable or the other keys of
 * `workers`, the object is read first. Without anything to send, it is only read.
 */
export async function sendChanges(
  kind: Kind,
  run: Run,
  object: Present,
  news: Properties,
  wanted: Properties,
): Promise<Sent> {
  const { id, state, changes, marksAnew, adopted = false } = object;
  const names = [...changes.keys()].filter((name) => !kind.fields[name]?.notInBody);
  const patch = Object.fromEntries(names.map((name) => [name, wanted[name]]));
  const parts = names.filter((name) => keepsPart(kind.fields[name], patch[name], state[name]));
  const mark = marksAnew && kind.mark !== undefined ? markAgain(kind, run, news, adopted) : undefined;
  const isLimited = "expiresAfter" in kind.fields && beginsAnew(changes, news);
  const isPartial = parts.length > 0 || mark !== undefined || isLimited;
  const read = () => readShown(kind, run, id, state);
  if (!isUpdatable(kind) || (names.length === 0 && !isPartial)) return { observed: orGone(await read()) };
  if (!isPartial) return send(kind, run, object, news, patch);
  const present = orGone(await readBeyondLag(run, kind, state, parts, read));
  const marksEnv = mark !== undefined && kind.mark === "env";
  const writesEnv = isLimited || marksEnv || parts.some((name) => kind.fields[name]?.shared);
  const held: Observed = writesEnv ? { ...present, env: toSendAgain(present.env) } : present;
  for (const name of parts)
    patch[name] = besidePresent(
      kind.fields[name],
      held[name],
      patch[name],
      declaration(state)[name],
      state[name],
    );
  const marked = withMark(kind, writesEnv ? { env: held.env, ...patch } : patch, mark);
  const name = wanted.name ?? present.name;
  const limited = isLimited ? withExpiry(marked, news.expiresAfter, name, run.api().now()) : marked;
  return send(kind, run, object, news, limited);
}

function orGone(present: Observed | undefined): Observed {
  if (present === undefined) throw new ExpectedError(gone, "PODLUMI-GONE");
  return present;
}

/** What an update leaves: the object by its answer, and what it wrote; undefined where there was nothing to send. */
interface Sent {
  readonly observed: Observed;
  readonly written?: Written;
}

/** A kind whose objects can be changed in place. */
type Updatable = Kind & Required<Pick<Kind, "update">>;

function isUpdatable(kind: Kind): kind is Updatable {
  return kind.update !== undefined;
}

/** Sends an update. Waits for a unique name, or for workers, that another object may give up. */
async function send(
  kind: Updatable,
  run: Run,
  { id, state }: Present,
  news: Properties,
  patch: Properties,
): Promise<Sent> {
  const api = run.api();
  const request = () => kind.update(api, id, body(kind.fields, patch), news);
  const act = () =>
    request().catch(async (error) => {
      // A read decides whether the object is gone.
      if (isRefusal(error) || isMissing(error)) orGone(await readShown(kind, run, id, state));
      if (!isMissing(error)) throw error;
      // A read shows by now what was made a moment ago. Another request may go on to find nothing for a while.
      const done = await untilShown(run, state, () => request().catch(undefinedIfMissing));
      return done ?? request();
    });
  const observed = await (kind.uniqueName && patch.name !== undefined
    ? retryWhileTaken(kind, run, news, act)
    : retryWhileGivenUp(run, news, act));
  return { observed, written: writtenNow(run, observed) };
}

function undefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

/** Whether a change failed because the service did not show the object. */
function isMissing(error: unknown): boolean {
  return isNotFound(error) || (error instanceof ExpectedError && error.code === "PODLUMI-GONE");
}

/** The object, also where the service shows it only after a while. */
async function readShown(kind: Kind, run: Run, id: string, state: Properties): Promise<Observed | undefined> {
  return (await kind.read(run.api(), id, state)) ?? (await onceShown(kind, run, id, state));
}

/** The resource's own mark, for an object that carries another one. */
function markAgain(kind: Kind, run: Run, inputs: Properties, adopted: boolean): string | undefined {
  const owner = ownerOf(inputs);
  const request = { call: newCallDigits(), attempt: adopted ? adoption : 1, sentAt: run.api().now() };
  return owner && markFor(kind, owner, inputs, request);
}

/** Deletes the twins of an object. */
export async function deleteTwinsInState(kind: Kind, run: Run, id: string, state: Properties): Promise<void> {
  const unanswered = openCreateIn(state, run.api().now());
  if (unanswered === undefined) return;
  const tell = (text: string) => log(state.__urn, text);
  const all = (await kind.list(run.api())) ?? [];
  const { twins: candidates } = twinsAmong(all, kind, id, unanswered);
  const twins = await run.owners.unusedAmong(candidates, state).catch((error) => {
    if (!(error instanceof StateUnknownError)) throw error;
    const all = candidates.map((one) => describe(kind, one)).join(", ");
    tell(`leaves what a request without an answer has made: ${all}. ${errorText(error)}`);
    return [];
  });
  await deleteTwins(run.api(), kind, twins, tell);
}
