import type { AddressInfo } from "node:net";
import { newApp } from "./app";
import { systemClock } from "./clock";
import type { Emulator, EmulatorOptions, LoggedRequest } from "./emulator";
import { serveGraphql } from "./graphql/server";
import { serveQueue } from "./queue/server";
import { routesOf } from "./rest/routes";
import { serveRest } from "./rest/server";
import { Service, type Timings } from "./state/service";

export { type Clock, ManualClock, systemClock } from "./clock";
export type { Emulator, EmulatorOptions, LoggedRequest } from "./emulator";
export type { JobHandler } from "./state/job";
export { HOST_FULL, NO_CAPACITY, Problem } from "./state/problem";
export type { Service, Timings } from "./state/service";

/** What the service takes, roughly. */
const REALISTIC: Timings = {
  provisioning: 5_000,
  starting: 10_000,
  stopping: 1_000,
  templateRelease: 60_000,
  queueReady: 3_000,
  jobTime: 1_000,
  latency: 0,
};

/** Starts an emulated account on loopback. Its three interfaces share one port. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { host = "127.0.0.1", port: wantedPort = 0, apiKey, features = {} } = options;
  const service = new Service({
    clock: options.clock ?? systemClock,
    timings: { ...REALISTIC, ...options.timings },
    workersQuota: options.workersQuota ?? 100,
    balance: options.balance ?? 1_000,
    injectEnv: options.injectEnv ?? true,
  });
  const requests: LoggedRequest[] = [];
  const accepts = (key: string) => apiKey === undefined || key === apiKey;

  const app = newApp(service, requests);
  const rest = {
    service,
    accepts,
    routes: routesOf({ restSecrets: features.restSecrets ?? false }),
    rateLimit: options.rateLimit ?? {},
    pagination: features.pagination ?? false,
  };
  const graphql = {
    service,
    accepts,
    enabled: features.graphql ?? true,
    extras: features.graphqlExtras ?? true,
    args: features.templateArgs ?? "containerArgs",
  };
  await app.register(async (scope) => serveRest(scope, rest), { prefix: "/v2" });
  await app.register(async (scope) => serveGraphql(scope, graphql), { prefix: "/graphql" });
  await app.register(async (scope) => serveQueue(scope, { service, accepts }), { prefix: "/queue" });
  await app.listen({ port: wantedPort, host });

  const { port } = app.server.address() as AddressInfo;
  const address = `http://${host}:${port}`;
  service.queueUrl = `${address}/queue`;
  const urls = { apiUrl: `${address}/v2`, graphqlUrl: `${address}/graphql`, queueUrl: service.queueUrl };
  return {
    port,
    ...urls,
    env: {
      RUNPOD_API_KEY: apiKey ?? "emulator",
      RUNPOD_API_URL: urls.apiUrl,
      RUNPOD_GRAPHQL_URL: urls.graphqlUrl,
      RUNPOD_QUEUE_URL: urls.queueUrl,
    },
    requests,
    service,
    setHandler: (endpointId, handler) => service.jobs.setHandler(endpointId, handler),
    close: async () => {
      service.jobs.dropAll();
      await app.close();
    },
  };
}
