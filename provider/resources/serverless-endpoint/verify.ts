import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { ExpectedError } from "../../client/errors";
import { inShort, isFinished, type Job, readJob } from "../../client/job";
import type { Queue } from "../../client/queue";
import type { Observed, Unready } from "../../core/kind";
import { poll, waitTimeoutOf } from "../../core/poll";
import { at } from "../../path";
import { update } from "../../schema/field";
import { measured } from "../../schema/schemas";
import { isEmpty, type Properties } from "../../value";
import { noWorkers, verificationFailed } from "../../words/waits";
import { variablesToHide } from "../last-lines";
import { deviations, expectation } from "./expectation";
import type { EndpointReleases } from "./operations";
import {
  describeRelease,
  describeWorkers,
  type NewRelease,
  releasesOf,
  variablesOf,
  waitForRollout,
  waitForWorker,
} from "./rollout";

const verification = z.strictObject({
  input: z
    .record(z.string(), z.unknown())
    .refine((input) => !isEmpty(input), "must not be empty: workers refuse an empty input"),
  expect: expectation.optional(),
  timeout: measured("seconds", z.int().min(1).max(86_400)).optional(),
});

type Verify = z.infer<typeof verification>;

export const verifyField = update(verification.optional(), {
  cleared: undefined,
  writeOnly: true,
  notInBody: true,
  exact: true,
  sensitive: true,
  // As the state has it: JSON has no negative zero.
  normalize: (verify) => JSON.parse(JSON.stringify(verify)),
});

/** Instead of a version: nothing was there before a create. */
const noRelease = -1;

/** Waits as the program asks, and verifies the newest release if it has `verify`. */
export async function waitAndVerify(unready: Unready): Promise<Observed> {
  const { api, id, wanted, observed, isNew, previousRelease } = unready;
  // If anything fails from here on, the state must not say that the release is verified.
  observed.verifiedRelease = undefined;
  const release = { api, id, after: isNew ? noRelease : previousRelease };
  if (wanted.verify !== undefined) return { ...observed, ...(await verifyOnce(unready, release)) };
  const milliseconds = waitTimeoutOf(wanted) * 1000;
  const deadline = api.clock.now() + milliseconds;
  if (wanted.waitForRollout === true) await waitForRollout(release, milliseconds);
  if (wanted.waitFor === "READY") {
    failWithoutWorkers(observed);
    await waitForWorker(release, Math.max(0, deadline - api.clock.now()));
  }
  return observed;
}

/**
 * No worker ever comes where an endpoint may have none. The service lowers `workers.max` of one that has nothing to do for days, in the
 * end to 0, and an update leaves alone what it does not show. (API: Serverless, limits)
 */
function failWithoutWorkers(observed: Observed): void {
  if (at(observed, "workers", "max") !== 0) return;
  throw new ExpectedError(noWorkers, "PODLUMI-NO-WORKERS");
}

/** Verifies the newest release, unless it has already passed the same `verify`. */
async function verifyOnce(
  { api, id, wanted, observed, before }: Unready,
  release: NewRelease,
): Promise<Properties> {
  if (release.after === undefined && isDeepStrictEqual(before.verify, wanted.verify)) {
    const { endpointVersion } = await releasesOf(api, id);
    if (endpointVersion != null && before.verifiedRelease === endpointVersion)
      return { verifiedRelease: endpointVersion };
  }
  failWithoutWorkers(observed);
  const { endpointVersion } = await runVerification(release, wanted.verify as Verify);
  // Null tells that a release has passed whose version the service does not know.
  return { verifiedRelease: endpointVersion ?? null };
}

/** Runs a job on the newest release and checks its outcome. */
async function runVerification(newest: NewRelease, verify: Verify): Promise<EndpointReleases> {
  const { api, id } = newest;
  const timeout = waitTimeoutOf({ waitTimeout: verify.timeout }) * 1000;
  const deadline = api.clock.now() + timeout;
  const left = () => Math.max(0, deadline - api.clock.now());
  const release = await waitForRollout(newest, timeout);
  const queue = api.queue(id);
  // If this run is killed, its job must not stay much longer than the run would have. (API: Queue, policy)
  const policy = { ttl: left() + 60_000 };
  const body = JSON.stringify({ input: verify.input, policy });
  let job = await queue.send({ operation: "run", body, read: readJob });
  const what = () => `job ${job.id} to be done, it is ${job.status}`;
  const ended = await poll(api, left(), what, async () => {
    job = await queue.send({ operation: "status", jobId: job.id, read: readJob });
    return isFinished(job) ? job : undefined;
  });
  const fault =
    ended === undefined ? `is still ${job.status} after ${timeout / 1000} s` : faultOf(job, verify);
  if (fault === undefined) return release;
  // A worker may repeat what its container has.
  const told = api.secrets.hidden(fault, variablesToHide(await variablesOf(api, id)));
  const said = await describeWorkers(api, id, job.workerId);
  if (ended === undefined) await cancel(queue, job);
  throw new ExpectedError(
    queue.discreet(`${verificationFailed(job.id, told, describeRelease(release))} ${said}`),
    "PODLUMI-VERIFICATION-FAILED",
  );
}

/** The fault of a finished job; undefined without one. */
function faultOf(job: Job, { expect }: Verify): string | undefined {
  if (job.status !== "COMPLETED")
    return `is ${job.status}${"error" in job && job.error ? `: ${inShort(job.error)}` : ""}`;
  const found = expect === undefined ? [] : deviations(job.output, expect);
  return found.length === 0 ? undefined : `was completed, but ${found.join("; ")}`;
}

/** Cancels a job for which nobody waits any more. A failed cancel must not hide why the verification failed. */
async function cancel(queue: Queue, { id }: Job): Promise<void> {
  const signal = AbortSignal.timeout(10_000);
  await queue.send({ operation: "cancel", jobId: id, signal, read: readJob }).catch(() => undefined);
}
