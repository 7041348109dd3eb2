import { backoff } from "../../client/clock";
import { ExpectedError, extended, isRefusal, isUnclear, outcomeOf } from "../../client/errors";
import { longestLag, situations } from "../../client/policy";
import { sentenceOf } from "../../schema/failure";
import type { Properties } from "../../value";
import { createMayAppear, createMayBeTakenOver, mayBeCreated, notNew } from "../../words/requests";
import { onErrand, type Resource } from "../call";
import type { CreateRequests } from "../call/record";
import { referenceFailures } from "../guard/references";
import { type Kind, type ServiceObject, sendTaking } from "../kind";
import { isMarkedByName } from "../kind/naming";
import { markFor, markOf, willCarry, withMark } from "../mark/carried";
import { type Owner, ownerOf } from "../mark/mark";
import { retryWhileTaken } from "../names/taken-names";
import { poll } from "../poll";
import { withExpiry } from "../state/expiry";
import { withoutAdopt } from "../state/internals";
import { body } from "../state/state";
import type { UnansweredCreate } from "../state/unfinished";
import { describe } from "../telling";
import type { Obtained } from "./finish";

/** One create. The service has no idempotency keys, so podlumi follows its requests until their result is certain. */
interface CreateCall extends Resource {
  readonly requests: CreateRequests;
  readonly owner: Owner | undefined;
  /** Faults of the objects that the inputs name, looked at once. */
  references?: ReturnType<typeof referenceFailures>;
}

/** Creates an object. After an unclear answer, a look decides what the request created. */
export async function sendCreate(resource: Resource): Promise<Obtained<ServiceObject>> {
  const { kind, run, record, urn, inputs, api } = resource;
  const wanted = withoutAdopt(inputs);
  const requests = record.createRequests((await run.lists.atFirst(kind, api())) ?? []);
  const call: CreateCall = { ...resource, requests, owner: ownerOf(inputs) };
  const send = (one: Properties) =>
    sendUntilClear(call, one).catch(async (error) => {
      throw (await brokenReference(call, error)) ?? error;
    });
  try {
    const observed =
      (await earlierResult(call)) ?? (await (kind.alternatives?.(api(), wanted, send) ?? send(wanted)));
    run.holders.note(observed.id, urn);
    return { origin: "created", observed, wanted, isWritten: true, unanswered: unansweredIn(call) };
  } catch (error) {
    throw requests.unclear.length === 0 ? error : unclearError(call, error);
  }
}

/** A refusal looks the same for want of room and for a missing object that the inputs name. A look tells which. */
async function brokenReference(call: CreateCall, error: unknown): Promise<Error | undefined> {
  if (!isRefusal(error)) return undefined;
  call.references ??= referenceFailures(call, "now");
  const failures = await call.references;
  const [first] = failures;
  if (first === undefined) return undefined;
  const message = [...failures.map(sentenceOf), (error as Error).message].join(" ");
  return new ExpectedError(message, first.code ?? "PODLUMI-INVALID", { cause: error });
}

/** The object of an earlier try, where a hook has a failed create tried again. Without a mark, podlumi does not guess. */
async function earlierResult(call: CreateCall): Promise<ServiceObject | undefined> {
  const { kind, requests } = call;
  if (requests.unclear.length === 0) return undefined;
  const found = await newNamesakes(call);
  if (isTellable(call) || kind.naming?.unique) return found.find((object) => isOurs(call, object));
  throw unprovenError(kind, found, new Error("an earlier request had no clear answer"));
}

/** Sends the create request until it is clear what it created. */
async function sendUntilClear(call: CreateCall, given: Properties): Promise<ServiceObject> {
  const { clock } = call.api();
  const began = clock.now();
  for (let failures = 0; ; failures++) {
    try {
      return await retryWhileTaken(call, () => sendOnce(call, given), {
        settle: (holder, error) => settleTaken(call, holder, error),
        mayBeUnlisted: () => clock.now() - call.requests.unclearAt < longestLag,
      });
    } catch (error) {
      if (!isUnclear(error)) throw error;
      // Also after Ctrl-C: otherwise the next run would not know that something may have been created.
      const unending = onErrand(call, { unending: true });
      const created = await settleUnclear(unending, error as Error, clock.now() - began);
      if (created !== undefined) return created;
      await clock.sleep(backoff(failures, clock));
    }
  }
}

async function sendOnce(call: CreateCall, given: Properties): Promise<ServiceObject> {
  const { kind, run, requests, owner, inputs, api } = call;
  requests.attempts++;
  const request = { call: requests.digits, attempt: requests.attempts, sentAt: api().now() };
  const mark = owner && markFor(kind, owner, inputs, request);
  const marked = withMark(kind, body(kind.fields, given), mark);
  const asked = withExpiry(marked, inputs.expiresAfter, inputs.name, api().now());
  const created = await sendTaking(kind, run, api(), () => kind.create(api(), asked));
  if (wasUnlisted(call, created)) return created;
  // An object from before is somebody's, and a state that had it would delete it.
  throw new ExpectedError(notNew(describe(kind, created), created.id), "PODLUMI-NOT-NEW");
}

/** Settles a refused request whose name an object has: perhaps it is what an earlier request of this call has created. */
function settleTaken(call: CreateCall, holder: ServiceObject, error: Error): ServiceObject | undefined {
  if (isOurs(call, holder)) return holder;
  if (call.requests.unclear.length > 0 && wasUnlisted(call, holder))
    throw unprovenError(call.kind, [holder], error);
  return undefined;
}

/** Settles a request without a clear answer. Returns what it created; undefined when it may be sent again. */
async function settleUnclear(
  call: CreateCall,
  error: Error,
  elapsed: number,
): Promise<ServiceObject | undefined> {
  const { kind, requests, api } = call;
  if (!kind.single) {
    requests.unclear.push(requests.attempts);
    requests.unclearAt = api().clock.now();
    // With unique names, the service refuses a second object, so sending the request again at once is safe.
    const found = kind.naming?.unique ? await newNamesakes(call) : await lookForResult(call);
    const ours = found.find((object) => isOurs(call, object));
    if (ours !== undefined) return ours;
    const isSafe = isTellable(call) || (kind.naming?.unique && found.length === 0);
    if (!isSafe) throw unprovenError(kind, found, error);
  }
  if (elapsed > situations.unfinished.seconds * 1000) throw error;
  return undefined;
}

/** Waits for the list to show what this call created. Returns every new object of the name. */
async function lookForResult(call: CreateCall): Promise<ServiceObject[]> {
  let seen: ServiceObject[] = [];
  const what = () => "what the request created to appear";
  await poll(call.api(), longestLag, what, async () => {
    seen = await newNamesakes(call);
    return seen.some((object) => isOurs(call, object)) || undefined;
  });
  return seen;
}

/** Objects of the name that were not there before, and that no other resource of this run has. */
async function newNamesakes(call: CreateCall): Promise<ServiceObject[]> {
  const { kind, run, urn, inputs, api } = call;
  const all = (await kind.list(api())) ?? [];
  const named = all.filter(({ name }) => name === inputs.name);
  return named.filter(
    (object) => wasUnlisted(call, object) && run.holders.beside(object.id, urn) === undefined,
  );
}

function wasUnlisted({ requests }: CreateCall, { id }: ServiceObject): boolean {
  return !requests.existing.some((object) => object.id === id);
}

/** The object will carry a mark by which this call recognizes it. */
function isTellable({ kind, inputs, owner }: CreateCall): boolean {
  return owner !== undefined && willCarry(kind, inputs.name, owner);
}

/** The mark of a new object shows that this call created it. */
function isOurs(call: CreateCall, object: ServiceObject): boolean {
  if (!isTellable(call) || !wasUnlisted(call, object)) return false;
  return isMarkedByName(call.kind)
    ? object.name === call.inputs.name
    : markOf(call.kind, object)?.call === call.requests.digits;
}

/** Without proof of what the request created, podlumi does not guess: the user has to decide. */
function unprovenError(kind: Kind, candidates: readonly ServiceObject[], error: Error): ExpectedError {
  const found = candidates.map((object) => describe(kind, object));
  const text = mayBeCreated(outcomeOf(error), found, situations.unseen.seconds);
  return new ExpectedError(text, mayBeMade, { cause: error });
}

/** The code of a create of which nothing tells whether it has created an object. */
const mayBeMade = "PODLUMI-MAY-BE-MADE";

/** The error of a create that failed while requests of it may still take effect, whatever the last one was answered. */
function unclearError(call: CreateCall, error: unknown): unknown {
  if (error instanceof ExpectedError && error.code === mayBeMade) return error;
  const next = isTellable(call) ? createMayBeTakenOver : createMayAppear;
  return extended(error, next(call.kind.noun));
}

/** For a later look at the twins of this call. Of a unique name, there are none. */
function unansweredIn({ kind, run, inputs, requests }: CreateCall): UnansweredCreate | undefined {
  if (requests.unclear.length === 0 || kind.naming?.unique) return undefined;
  // The host of dynamic providers takes no `undefined` in a state.
  const call = isMarkedByName(kind) ? {} : { call: requests.digits };
  return { ...call, attempts: [...requests.unclear], name: String(inputs.name), at: run.timestamp() };
}
