import type { AddressInfo } from "node:net";
import { answerFrom } from "./answer";
import { named, newApp, passThrough } from "./app";
import { systemClock } from "./clock";
import type { Emulator, EmulatorOptions, LoggedRequest, OfflineEmulator } from "./emulator";
import { serveFaults } from "./faults/control";
import type { Match, When } from "./faults/fault";
import { Gate, type Listener } from "./faults/gate";
import { LateEffects } from "./faults/late";
import { Faults } from "./faults/plan";
import { serveGraphql } from "./graphql/server";
import { addressedDirectly } from "./page/host";
import { servePage } from "./page/server";
import { serveQueue } from "./queue/server";
import { RateLimiter } from "./rate-limit";
import { routesOf } from "./rest/routes";
import { serveRest } from "./rest/server";
import { type Seed, sow } from "./seed";
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

/** What both ways to reach an emulated account share: without a port, and on one. */
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
  const requests: LoggedRequest[] = [];
  const accepts = (key: string) => apiKey === undefined || key === apiKey;

  const faults = new Faults(options.faults, options.faultSeed);
  const past = new Past(service, () => faults.longestLag);
  const app = newApp();
  const late = new LateEffects(service.clock, (request) => answerFrom(app, request));
  const gate = new Gate(service.clock, faults, late);
  const rest = {
    service,
    past,
    accepts,
    routes: routesOf({
      restSecrets: features.restSecrets ?? true,
      accountPaths: features.accountPaths ?? true,
      globalVolumes: features.globalVolumes ?? true,
      registryUpdate: features.registryUpdate ?? true,
    }),
    scopes: options.scopes,
    limiter: new RateLimiter(service.clock, options.rateLimit ?? {}),
    pagination: features.pagination ?? false,
  };
  const graphql = {
    service,
    past,
    accepts,
    enabled: features.graphql ?? true,
    extras: features.graphqlExtras ?? true,
    args: features.templateArgs ?? "containerArgs",
    limiter: options.graphqlRateLimit && new RateLimiter(service.clock, options.graphqlRateLimit),
  };
  const queue = { service, accepts, streamStatus: features.streamStatus ?? true };
  const interfaces = named("interfaces", async (scope) => {
    passThrough(scope, { service, gate, late, log: requests });
    await scope.register(
      named("rest", async (scope) => serveRest(scope, rest)),
      { prefix: "/v2" },
    );
    await scope.register(
      named("graphql", async (scope) => serveGraphql(scope, graphql)),
      { prefix: "/graphql" },
    );
    await scope.register(
      named("queue", async (scope) => serveQueue(scope, queue)),
      { prefix: "/queue" },
    );
  });
  const observed = { service, log: requests, faults, limiter: rest.limiter };
  const controls = named("controls", async (scope) => {
    scope.addHook("onRequest", addressedDirectly);
    await scope.register(
      named("faults", async (scope) => serveFaults(scope, faults)),
      { prefix: "/faults" },
    );
    await scope.register(named("page", async (scope) => servePage(scope, observed)));
  });
  await app.register(interfaces);
  await app.register(controls);
  return {
    app,
    requests,
    service,
    faults,
    setHandler: (endpointId: string, handler: JobHandler) => service.jobs.setHandler(endpointId, handler),
    on: (when: When, match: Match, listener: Listener) => gate.on(when, match, listener),
    seed: (seed: Seed | string) => sow(app, requests, apiKey ?? "emulator", seed),
    reset: () => {
      service.forget();
      past.forget();
      late.forget();
      gate.forget();
      rest.limiter.forget();
      graphql.limiter?.forget();
      faults.forget();
      requests.length = 0;
    },
    close: async () => {
      service.jobs.dropAll();
      late.forget();
      gate.close();
      await app.close();
    },
  };
}

/** An emulated account without a port: requests are handed to it in this process. */
export async function offlineEmulator(options: EmulatorOptions = {}): Promise<OfflineEmulator> {
  const { app, ...emulator } = await assembled(options);
  return { ...emulator, answer: (request) => answerFrom(app, request) };
}

/** Starts an emulated account on loopback. Its three interfaces share one port. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { host = "127.0.0.1", port: wantedPort = 0, apiKey } = options;
  const { app, ...emulator } = await assembled(options);
  const { service } = emulator;
  await app.listen({ port: wantedPort, host });

  const { port } = app.server.address() as AddressInfo;
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
