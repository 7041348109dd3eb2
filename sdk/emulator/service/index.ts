import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { answerFrom } from "./answer";
import { systemClock } from "./clock";
import type { Emulator, EmulatorOptions, LoggedRequest, OfflineEmulator } from "./emulator";
import type { Match, When } from "./faults/fault";
import { Gate, type Listener } from "./faults/gate";
import { LateEffects } from "./faults/late";
import { Faults } from "./faults/plan";
import { RateLimiter } from "./rate-limit";
import { type Seed, sow } from "./seed";
import { serverOf } from "./server";
import type { JobHandler } from "./state/job";
import { Past } from "./state/past";
import { Service, type Timings } from "./state/service";

export { type Clock, ManualClock, systemClock } from "./clock";
export type { Emulator, EmulatorOptions, LoggedRequest, OfflineEmulator } from "./emulator";
export type { Fault, Match, What } from "./faults/fault";
export type { JobHandler } from "./state/job";

/**
 * Roughly the times that the real service takes.
 * (differs, Times: they are always the same, and an image takes no longer because it is large. Every image exists, and every
 * container starts; no process runs in it. A template can be deleted one minute after its last use; the service takes up to two.)
 */
const REALISTIC: Timings = {
  // assumes: time, state * /pods*: STARTING, RUNNING, status
  provisioning: 5_000,
  // assumes: time * /pods*: RUNNING
  starting: 10_000,
  // assumes: time * /pods*: EXITED
  stopping: 1_000,
  // assumes: status DELETE /templates/{id}
  templateRelease: 60_000,
  queueReady: 3_000,
  jobTime: 1_000,
  latency: 0,
  // assumes: lag GET *
  listLag: 0,
  // assumes: status GET */{id}
  readLag: 0,
};

/** The part that an account on a port and one without have in common. */
async function assembled(options: EmulatorOptions) {
  const { apiKey, features = {} } = options;
  const service = new Service({
    clock: options.clock ?? systemClock,
    timings: { ...REALISTIC, ...options.timings },
    workersQuota: options.workersQuota ?? 100,
    balance: options.balance ?? 1_000,
    billingMode: options.billingMode ?? "PREPAID",
    spendLimit: options.spendLimit ?? 10_000,
    injectEnv: options.injectEnv ?? true,
  });
  const faults = new Faults(options.faults, options.faultSeed);
  const late = new LateEffects(service.clock, (request) => answerFrom(server, request));
  const account = {
    service,
    past: new Past(service, () => faults.longestLag),
    faults,
    gate: new Gate(service.clock, faults, late),
    late,
    log: [] as LoggedRequest[],
    accepts: (key: string) => apiKey === undefined || key === apiKey,
    scopes: options.scopes,
    limiter: new RateLimiter(service.clock, options.rateLimit ?? {}),
    pagination: features.pagination ?? false,
    streamStatus: features.streamStatus ?? true,
    graphql: {
      enabled: features.graphql ?? true,
      extras: features.graphqlExtras ?? true,
      args: features.templateArgs ?? "containerArgs",
      limiter: options.graphqlRateLimit && new RateLimiter(service.clock, options.graphqlRateLimit),
    },
  };
  const { past, gate, log, limiter, graphql } = account;
  const server = await serverOf(account, {
    restSecrets: features.restSecrets ?? true,
    accountPaths: features.accountPaths ?? true,
    globalVolumes: features.globalVolumes ?? true,
    registryUpdate: features.registryUpdate ?? true,
    labels: features.labels ?? true,
  });
  return {
    server,
    requests: log,
    service,
    faults,
    setHandler: (endpointId: string, handler: JobHandler) => service.jobs.setHandler(endpointId, handler),
    on: (when: When, match: Match, listener: Listener) => gate.on(when, match, listener),
    seed: (seed: Seed | string) => sow(server, log, apiKey ?? "emulator", seed),
    reset: () => {
      service.forget();
      past.forget();
      late.forget();
      gate.forget();
      limiter.forget();
      graphql.limiter?.forget();
      faults.forget();
      log.length = 0;
    },
    close: async () => {
      const isListening = server.listening;
      service.jobs.dropAll();
      service.batches.dropAll();
      late.forget();
      gate.close();
      server.close();
      server.closeAllConnections();
      if (isListening) await once(server, "close");
    },
  };
}

/** An emulated account without a port: requests are handed to it in this process. */
export async function offlineEmulator(options: EmulatorOptions = {}): Promise<OfflineEmulator> {
  const { server, ...emulator } = await assembled(options);
  return { ...emulator, answer: (request) => answerFrom(server, request) };
}

/** Starts an emulated account on loopback. Its three interfaces share one port. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { host = "127.0.0.1", port: wantedPort = 0, apiKey } = options;
  const { server, ...emulator } = await assembled(options);
  const { service } = emulator;
  await once(server.listen(wantedPort, host), "listening");

  const { port } = server.address() as AddressInfo;
  const address = `http://${host}:${port}`;
  service.queueUrl = `${address}/queue`;
  const urls = { apiUrl: `${address}/v2`, graphqlUrl: `${address}/graphql`, queueUrl: service.queueUrl };
  return {
    port,
    ...urls,
    pageUrl: `${address}/`,
    env: {
      RUNPOD_API_KEY: apiKey ?? "emulator",
      RUNPOD_API_URL: urls.apiUrl,
      RUNPOD_GRAPHQL_URL: urls.graphqlUrl,
      RUNPOD_QUEUE_URL: urls.queueUrl,
    },
    ...emulator,
  };
}
