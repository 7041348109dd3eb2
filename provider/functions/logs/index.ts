import * as z from "zod";
import type { Api } from "../../client/api";
import type { LogQuery } from "../../client/logs";
import { path } from "../../client/rest";
import { about, type SomeDefinitions, text, time, workerInWords } from "../definition";
import type { Log, PodLogsArgs, WorkerLogsArgs } from "./types";

const queryArgs = {
  tail: z.int().min(0).max(5_000).optional(),
  since: time.optional(),
  source: z.enum(["container", "system"]).optional(),
};

/** The present lines: a program of Pulumi does not wait for more. */
async function logAt(api: Api, address: string, query: LogQuery): Promise<Log> {
  const lines = [];
  for await (const line of api.rest.logs(address, query, {})) lines.push(line);
  return { lines };
}

/** (API: Logs) */
export const logs = {
  getPodLogs: {
    args: { podId: text, ...queryArgs },
    ask: about("Pod", "podId", (api, { podId, ...query }: PodLogsArgs) =>
      logAt(api, path`/pods/${podId}/logs`, query),
    ),
  },
  getWorkerLogs: {
    args: { endpointId: text, workerId: text, ...queryArgs },
    ask: about(
      "ServerlessEndpoint",
      "endpointId",
      (api, { endpointId, workerId, ...query }: WorkerLogsArgs) =>
        logAt(api, path`/serverless/${endpointId}/workers/${workerId}/logs`, query),
      ({ workerId }) => workerInWords(workerId),
    ),
  },
} satisfies SomeDefinitions;
