import * as z from "zod";
import type { Api } from "../../client/api";
import type { LogQuery } from "../../client/logs";
import { path } from "../../client/rest";
import { about, type Definitions, text, time, workerInWords } from "../definition";
import type { LogFunctions } from "../signatures";
import type { Log, PodLogsArgs, WorkerLogsArgs } from "./types";

const query = {
  tail: z.int().min(0).max(5_000).optional(),
  since: time.optional(),
  source: z.enum(["container", "system"]).optional(),
};

/** The lines that there are: whoever waits for more does not read in a program of Pulumi. */
async function logAt(api: Api, address: string, asked: LogQuery): Promise<Log> {
  const lines = [];
  for await (const line of api.rest.logs(address, asked, {})) lines.push(line);
  return { lines };
}

/** (API: Logs) */
export const logs: Definitions<LogFunctions> = {
  getPodLogs: {
    args: { podId: text, ...query },
    ask: about(
      "Pod",
      ({ podId }: PodLogsArgs) => podId,
      (api, { podId, ...asked }) => logAt(api, path`/pods/${podId}/logs`, asked),
    ),
  },
  getWorkerLogs: {
    args: { endpointId: text, workerId: text, ...query },
    ask: about(
      "ServerlessEndpoint",
      ({ endpointId }: WorkerLogsArgs) => endpointId,
      (api, { endpointId, workerId, ...asked }) =>
        logAt(api, path`/serverless/${endpointId}/workers/${workerId}/logs`, asked),
      ({ workerId }) => workerInWords(workerId),
    ),
  },
};
