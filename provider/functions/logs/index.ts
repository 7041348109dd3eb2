import * as z from "zod";
import type { Api } from "../../client/api";
import type { LogQuery } from "../../client/logs";
import { path } from "../../client/rest";
import { aboutObject, workerInWords } from "../about-object";
import { type Definitions, text, time } from "../definition";
import type { Log } from "./types";

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
    ask: (api, { podId, ...query }) =>
      aboutObject("Pod", api, podId, () => logAt(api, path`/pods/${podId}/logs`, query)),
  },
  getWorkerLogs: {
    args: { endpointId: text, workerId: text, ...queryArgs },
    ask: (api, { endpointId, workerId, ...query }) => {
      const ask = () => logAt(api, path`/serverless/${endpointId}/workers/${workerId}/logs`, query);
      return aboutObject("ServerlessEndpoint", api, endpointId, ask, workerInWords(workerId));
    },
  },
} satisfies Partial<Definitions>;
