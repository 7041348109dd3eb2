import { evenIfCancelled } from "../../client/cancel";
import { backoff } from "../../client/clock";
import { ExpectedError, extended, isRefusal, mayHaveActed } from "../../client/errors";
import { longestLag, situations } from "../../client/policy";
import { UnprovenError } from "../errors";
import type { Kind, ServiceObject } from "../kind/definition";
import { withExpiry } from "../kind/expiry";
import { sentenceOf } from "../kind/failure";
import { newCallDigits, type Owner, ownerOf } from "../kind/mark";
import { markFor, markOf, willCarry, withMark } from "../kind/ownership";
import { referenceFailures } from "../kind/references";
import { body, visibleInputs } from "../kind/state";
import { failWhenOverdue, holderOf, namesakes } from "../names/taken-names";
import type { SentCreate } from "../owner/notes";
import type { OpenCreate } from "../owner/open-create";
import type { Resource } from "../resource";
import { describe } from "../telling";
import type { Properties } from "../value";
import { poll } from "../wait";
import { retryUntilGivenUp } from "./taken-workers";

/** One create. The service has no idempotency keys, so podlumi follows its requests until their result is certain. */
interface CreateCall extends Resource {
  readonly sent: SentCreate;
  readonly owner: Owner | undefined;
  /** What is wrong with the objects that the inputs name, looked at once. */
  references?: ReturnType<typeof referenceFailures>;
  /** How many refusals came while no object had the name. */
  unexplained: number;
}

/** Creates an object as `wanted`. After an unclear answer, a look decides what the request created. */
export async function sendCreate(resource: Resource, wanted: Properties): Promise<ServiceObject> {
  const { kind, run, inputs } = resource;
  const notes = run.notes(inputs.__urn);
  notes.sent ??= await unsent(resource);
  const { sent } = notes;
  const call: CreateCall = { ...resource, sent, owner: ownerOf(inputs), unexplained: 0 };
  const send = (one: Properties) =>
    sendUntilClear(call, one).catch(async (error) => {
      throw (await brokenReference(call, error)) ?? error;
    });
  try {
    const object = await (kind.alternatives?.(run.api(), wanted, send) ?? send(wanted));
    run.owners.note(object.id, inputs);
    return object;
  } catch (error) {
    throw sent.unclear.length === 0 ? error : openError(call, error);
  } finally {
    if (sent.unclear.length > 0) {
      const unanswered = openCreateOf(call);
      run.atEnd.unfinished.set(inputs.__urn, { kind, inputs, object: undefined, unanswered });
    }
  }
}

/** A create that has sent nothing yet. */
async function unsent({ kind, run }: Resource): Promise<SentCreate> {
  const existing = (await run.lists.lately(kind)) ?? [];
  return { digits: newCallDigits(), existing, attempts: 0, unclear: [], unclearAt: Number.NEGATIVE_INFINITY };
}

/**
 * The error for a refusal of what names an object that is not there, or that does not fit: the service's status does not tell it from
 * want of room, so a look does.
 */
async function brokenReference(call: CreateCall, error: unknown): Promise<Error | undefined> {
  if (!isRefusal(error)) return undefined;
  const { kind, run, inputs } = call;
  call.references ??= referenceFailures(kind, run, {}, inputs, undefined, "now");
  const failures = await call.references;
  const [first] = failures;
  if (first === undefined) return undefined;
  const message = [...failures.map(sentenceOf), (error as Error).message].join(" ");
  return new ExpectedError(message, first.code ?? "PODLUMI-INVALID", { cause: error });
}

/** Sends the create request until it is clear what it created. */
async function sendUntilClear(call: CreateCall, given: Properties): Promise<ServiceObject> {
  const { kind, run, sent, owner } = call;
  const api = run.api();
  const began = api.clock.now();
  for (let failures = 0; ; failures++) {
    sent.attempts++;
    const request = { call: sent.digits, attempt: sent.attempts, sentAt: api.now() };
    const mark = owner && markFor(kind, owner, call.inputs, request);
    try {
      const { expiresAfter, name } = call.inputs;
      const marked = withMark(kind, body(kind.fields, given), mark);
      const asked = withExpiry(marked, expiresAfter, name, api.now());
      const created = await retryUntilGivenUp(call, () => kind.create(api, asked));
      if (!isNew(call, created)) throw notNewError(kind, created);
      return created;
    } catch (error) {
      const elapsed = api.clock.now() - began;
      const settle = mayHaveActed(error) ? settleUnclear : settleRefusal;
      // Also after Ctrl-C: otherwise the next run would not know that something may have been created.
      const created = await evenIfCancelled(() => settle(call, error as Error, elapsed));
      if (created !== undefined) return created;
      await api.clock.sleep(backoff(failures, api.clock));
    }
  }
}

/** Settles a request without a clear answer. Returns what it created; undefined when it may be sent again. */
async function settleUnclear(
  call: CreateCall,
  error: Error,
  elapsed: number,
): Promise<ServiceObject | undefined> {
  const { kind, sent } = call;
  if (!kind.single) {
    sent.unclear.push(sent.attempts);
    sent.unclearAt = call.run.api().clock.now();
    // With unique names, the service refuses a second object, so sending the request again at once is safe.
    const found = kind.uniqueName ? await newNamesakes(call) : await lookForResult(call);
    const ours = found.find((object) => isOurs(call, object));
    if (ours !== undefined) return ours;
    const isSafe = isTellable(call) || (kind.uniqueName && found.length === 0);
    if (!isSafe) throw unprovenError(kind, found, error);
  }
  if (elapsed > situations.unfinished.seconds * 1000) throw error;
  return undefined;
}

/**
 * Settles a refused request: its name may be taken, even by what this call created before. Returns that object; undefined
 * when the request may be sent again.
 */
async function settleRefusal(
  call: CreateCall,
  error: Error,
  elapsed: number,
): Promise<ServiceObject | undefined> {
  const { kind, run, sent } = call;
  if (!kind.uniqueName || !isRefusal(error)) throw error;
  const holder = await holderOf(call);
  if (holder !== undefined) {
    if (isOurs(call, holder)) return holder;
    if (sent.unclear.length > 0 && isNew(call, holder)) throw unprovenError(kind, [holder], error);
    await failWhenOverdue(call, holder, elapsed, error);
    return undefined;
  }
  // No object has the name. Perhaps its holder has just gone, so try once more. Perhaps an earlier request of this call created
  // an object that is not listed yet, so try until it must be.
  const mayBeUnlisted = run.api().clock.now() - sent.unclearAt < longestLag;
  if (call.unexplained++ > 0 && !mayBeUnlisted) throw error;
  return undefined;
}

/** Waits for the list to show what this call created. Returns every new object of the name. */
async function lookForResult(call: CreateCall): Promise<ServiceObject[]> {
  const { clock } = call.run.api();
  let seen: ServiceObject[] = [];
  const what = () => "what the request created to appear";
  await poll(clock, longestLag, what, async () => {
    seen = await newNamesakes(call);
    return seen.some((object) => isOurs(call, object)) || undefined;
  });
  return seen;
}

/** Objects of the name that were not there before and have no known owner. */
async function newNamesakes(call: CreateCall): Promise<ServiceObject[]> {
  const { kind, run } = call;
  const found = await namesakes(call, () => kind.list(run.api()));
  return found.filter((object) => isNew(call, object));
}

function isNew({ sent }: CreateCall, { id }: ServiceObject): boolean {
  return !sent.existing.some((object) => object.id === id);
}

/** Whether the object carries a mark of its owner, by which the call can recognize it. */
function isTellable({ kind, inputs, owner }: CreateCall): boolean {
  return owner !== undefined && willCarry(kind, inputs.name, owner);
}

/** Whether the mark of a new object shows that this call created it. */
function isOurs(call: CreateCall, object: ServiceObject): boolean {
  if (!isTellable(call) || !isNew(call, object)) return false;
  return call.kind.mark === undefined
    ? object.name === call.inputs.name
    : markOf(call.kind, object)?.call === call.sent.digits;
}

/** The response to a create has what was there before: it is somebody's, and a state that had it would delete it. */
function notNewError(kind: Kind, object: ServiceObject): ExpectedError {
  const what = `the service answered with the ${describe(kind, object)}, which was there before, so it has created nothing`;
  return new ExpectedError(
    `${what}. To make that one the resource's own, write adopt: "${object.id}"`,
    "PODLUMI-NOT-NEW",
  );
}

/** podlumi never guesses. Without proof of what the request created, the user has to decide. */
function unprovenError(kind: Kind, candidates: readonly ServiceObject[], error: Error): Error {
  const found = candidates.map((object) => describe(kind, object));
  const next =
    found.length === 0
      ? `No such object has appeared within ${situations.unseen.seconds} s, but it still may. Look with \`npx podlumi ls\` in a few ` +
        "minutes: if it is there, write adopt with its id; if not, run `pulumi up` again. If you leave name out, podlumi recognizes " +
        "its objects by itself"
      : `Since then, there is the ${found.join(", the ")}, which it may have created. If so, write adopt with its id; if ` +
        "not, run `pulumi up` again";
  const end = /[.?!]$/.test(error.message) ? "" : ".";
  return new UnprovenError(`${error.message}${end} ${next}`, { cause: error });
}

/** The error of a create that failed while requests of it may still take effect, whatever the last one was answered. */
function openError(call: CreateCall, error: unknown): unknown {
  if (error instanceof UnprovenError) return error;
  const stack = call.owner?.readable.stack;
  const next = isTellable(call)
    ? `While the resource is in the program, the next \`pulumi up\` takes it over; \`npx podlumi ls --stack ${stack}\` shows it`
    : "Look with `npx podlumi ls` in a few minutes, and if it is there, write adopt with its id";
  const unclear = `A request of this create had no clear answer, and may still create the ${call.kind.noun}.`;
  return extended(error, `${unclear} ${next}`);
}

/** What a later look needs to recognize the twins of this call. */
function openCreateOf({ kind, run, inputs, sent }: CreateCall): OpenCreate {
  const { digits, existing, unclear } = sent;
  const namesakes = existing.filter(({ name }) => name === inputs.name).map(({ id }) => id);
  return {
    ...(kind.mark !== undefined && { call: digits }),
    attempts: unclear,
    name: String(inputs.name),
    asked: visibleInputs(kind.fields, inputs),
    before: namesakes,
    at: run.timestamp(),
  };
}
