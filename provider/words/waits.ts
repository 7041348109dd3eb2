// Texts about objects that exist and are not ready. They follow `pod "web" (7h9k2m4n6p) exists but is not ready: `.

export const continueWaiting =
  "Run `pulumi up` again to continue waiting, or give it more time with waitTimeout.";

export const podNotReady = (status: unknown, seconds: number, goal: string) =>
  `it is ${status} after ${seconds} s instead of ${goal}. ${continueWaiting}`;

export const podStopped =
  "it stopped while podlumi waited, by a person or for want of balance. Run `pulumi up` again to start it.";

export const podFailed =
  "its container failed: the status is ERROR. Fix its settings, or run `pulumi up` again to start it once more; only `--replace` makes " +
  "another one.";

export const clusterNotReady = (running: number, total: unknown, seconds: number) =>
  `${running} of its ${total} pods are RUNNING after ${seconds} s. ${continueWaiting}`;

export const clusterFailed = (pod: string, status: unknown) =>
  `its ${pod} is ${status}. A cluster cannot be repaired in part: replace it by \`pulumi up --replace\` and its URN.`;

export const podsLeft = (ids: readonly string[], seconds: number) =>
  `${ids.length} of its pods are still there after ${seconds} s and may cost money: ${ids.join(", ")}`;

export const clusterIsGone =
  "The service has deleted it: run the command again to look once more, or `pulumi refresh` before the next `pulumi up`";

export const noWorkers =
  "its workers.max is 0 at the service, which lowers it for an endpoint without jobs. Declare workers.max, and run `pulumi up --refresh`";

export const rolloutNotDone = (progress: string, seconds: number) =>
  `${progress} after ${seconds} s, since a worker takes the new release after its job. Run \`pulumi up\` again to continue waiting.`;

export const noHealthyWorker = (seconds: number) =>
  `no worker of its newest release is healthy after ${seconds} s. ${continueWaiting}`;

export const verificationFailed = (job: string, fault: string, release: string) =>
  `its verification failed: job ${job} ${fault}, on ${release}. Fix it and run \`pulumi up\` again, which verifies it again.`;
