import { type Command, Option } from "commander";
import type { Api } from "../../../provider/client/api";
import { systemClock, timeOf } from "../../../provider/client/clock";
import { isNotFound } from "../../../provider/client/errors";
import { path } from "../../../provider/client/rest";
import { inLine } from "../../../provider/mask";
import type { EndpointWorkers } from "../../../provider/resources/serverless-endpoint/operations";
import type { LogLine, LogQuery, LogSource } from "../../functions/logs";
import { account } from "../account";
import { moment, nameOrId, oneOfThese, stackOfResource, wholeNumber } from "../arguments";
import { below } from "../help";
import { meant } from "../meant";
import { anyColour, coloured, jsonOf, plain, print, tell } from "../output";

/** Milliseconds between two requests for new workers. */
const newWorkers = 5_000;

const examples = `
The lines of a container are deleted with the container; lines of the system, marked with ·, stay.
For an endpoint, it shows the lines of all its workers, each with the id of its worker.

Examples:
  podlumi logs 7h9k2m4n6p --follow
  podlumi logs llm --stack shop/prod
  podlumi logs trainer --since 10m --source container
  podlumi logs 7h9k2m4n6p --json --tail 5000 > pod.log`;

interface Options {
  readonly stack?: string;
  readonly follow?: true;
  readonly json?: true;
  readonly tail?: number;
  readonly since?: string;
  readonly source?: LogSource;
}

/** `podlumi logs`: lines of a pod, or of the workers of an endpoint. */
export function logs(program: Command): void {
  program
    .command("logs")
    .description("show the log of a pod, or of all workers of an endpoint")
    .argument("<pod or endpoint>", nameOrId)
    .addOption(stackOfResource())
    .option("-f, --follow", "follow new lines until the pod or endpoint is gone; Ctrl-C ends it")
    .option("-n, --tail <number>", "number of past lines, default 100", wholeNumber(0, 5_000))
    .addOption(
      new Option("--since <time>", "all lines since then: 10m, or 2026-06-01T12:00:00Z")
        .argParser(moment)
        .conflicts("tail"),
    )
    .addOption(
      oneOfThese(new Option("--source <source>", "lines of this source only, default both"), [
        "container",
        "system",
      ]),
    )
    .option("--json", "as JSON, one object per line: ts, source, line, and worker for an endpoint")
    .addHelpText("after", below(examples))
    .action(async (idOrName: string, options: Options) => {
      const api = account();
      const { kind, object } = await meant(api, ["Pod", "ServerlessEndpoint"], idOrName, options);
      return kind === "Pod" ? ofPod(api, object.id, options) : ofEndpoint(api, object.id, options);
    });
}

function lines(
  api: Api,
  path: string,
  { follow, tail, since, source }: Options,
  signal?: AbortSignal,
): AsyncGenerator<LogLine> {
  const asked: LogQuery = { tail, since, source };
  return api.rest.logs(path, asked, { follow, signal });
}

async function ofPod(api: Api, id: string, options: Options): Promise<void> {
  for await (const line of lines(api, path`/pods/${id}/logs`, options)) show(line, options);
}

interface WorkerLine extends LogLine {
  readonly worker: string;
}

async function ofEndpoint(api: Api, id: string, options: Options): Promise<void> {
  /** Undefined when the endpoint is gone. */
  const workers = async () => {
    const response = await api.rest.find<EndpointWorkers>(path`/serverless/${id}/workers`);
    return response?.workers.map((worker) => worker.id);
  };
  const present = (await workers()) ?? [];
  if (present.length === 0) tell("podlumi: the endpoint has no workers now");
  if (!options.follow) {
    const all = await Promise.all(present.map((worker) => collected(ofWorker(api, id, worker, options))));
    for (const line of all.flat().sort((a, b) => timeOf(a.ts) - timeOf(b.ts))) show(line, options);
    return;
  }
  // Ends with the first log that fails, and ends the others: one that is open would keep the process from ending.
  const over = new AbortController();
  const { signal } = over;
  const followed = new Map<string, Promise<void>>();
  const follow = async (worker: string) => {
    try {
      for await (const line of ofWorker(api, id, worker, options, signal)) show(line, options);
    } catch (error) {
      over.abort(error);
    }
  };
  try {
    for (let ids: string[] | undefined = present; ids !== undefined; ids = await workers()) {
      for (const worker of ids) if (!followed.has(worker)) followed.set(worker, follow(worker));
      await systemClock.sleep(newWorkers, signal);
    }
    await Promise.all(followed.values());
    signal.throwIfAborted();
  } finally {
    over.abort();
  }
}

/** The lines of a worker. There are none when the worker has gone since it was listed. */
async function* ofWorker(
  api: Api,
  id: string,
  worker: string,
  options: Options,
  signal?: AbortSignal,
): AsyncGenerator<WorkerLine> {
  try {
    const log = lines(api, path`/serverless/${id}/workers/${worker}/logs`, options, signal);
    for await (const line of log) yield { ...line, worker };
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function collected<T>(log: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const line of log) all.push(line);
  return all;
}

function show(line: LogLine | WorkerLine, { json }: Options): void {
  print(json ? jsonOf(line) : readable(line), anyColour);
}

/** A line keeps the colours that a worker gave it, up to its end. */
function readable({ ts, source, line, ...rest }: LogLine | WorkerLine): string {
  const worker = "worker" in rest ? `${coloured("yellow", inLine(rest.worker))} ` : "";
  const text = `${line.replace(/\r+$/, "")}${anyColour.test(line) ? plain : ""}`;
  return `${coloured("dim", inLine(ts))} ${worker}${source === "system" ? "· " : ""}${text}`;
}
