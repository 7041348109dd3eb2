import { constants } from "node:os";
import { type Command, Option } from "commander";
import { systemClock } from "../../../provider/client/clock";
import { ExpectedError } from "../../../provider/client/errors";
import { remedies } from "../../../provider/client/remedies";
import { environmentSettings } from "../../../provider/config";
import { inLine } from "../../../provider/mask";
import { at } from "../../../provider/path";
import { Endpoint } from "../../jobs";
import { readHealth } from "../../jobs/report";
import { account } from "../account";
import { nameOrId, stackOfResource } from "../arguments";
import { below } from "../help";
import { inputOf } from "../jobs/input";
import { type RequestOptions, requestOf, withRequestOptions } from "../jobs/request";
import { meant, type Search } from "../meant";
import { CommandError, counted, jsonOf, mustAgree, print, printJson, tell } from "../output";

const examples = `
Everything is printed as JSON. A job is never sent twice. If it is unknown whether the service took it,
the error says so.

Examples:
  podlumi jobs run 4m7x2k9q '{"prompt": "Hello"}' --wait
  podlumi jobs run my-llm - --stream < input.json
  podlumi jobs run my-llm - --webhook @address.txt --ttl 1h < input.json
  podlumi jobs wait 4m7x2k9q 1f6c…-u1 | jq .text
  podlumi jobs status 4m7x2k9q 1f6c…-u1`;

/** Whose resource the name of an endpoint means. */
interface Whose {
  readonly stack?: string;
}

interface Options extends RequestOptions, Whose {
  readonly wait?: true;
  readonly stream?: true;
}

/** `podlumi jobs`: the queue of a Serverless endpoint. */
export function jobs(program: Command): void {
  const group = program.command("jobs").description("send jobs to a QUEUE endpoint, and manage them");
  group.addHelpText("after", below(examples));

  const ofEndpoint = (name: string, description: string) =>
    group
      .command(name)
      .description(description)
      .argument("<endpoint>", nameOrId)
      .addOption(stackOfResource());
  const ofJob = (name: string, description: string) =>
    ofEndpoint(name, description).argument("<job>", "id of the job");

  const run = ofEndpoint("run", "send a job; prints its id and state, or with --wait its output")
    .argument("<input>", "what the worker takes, as JSON; - reads it from standard input")
    .addOption(new Option("-w, --wait", "wait until it is done, then print its output").conflicts("stream"))
    .option("-s, --stream", "print its stream while it runs, one chunk per line");
  withRequestOptions(run).action(send);

  ofJob("wait", "wait until a job is done, then print its output")
    .option("-s, --stream", "print its stream while it runs, one chunk per line")
    .action(async (idOrName: string, job: string, { stack, stream }: Pick<Options, "stack" | "stream">) =>
      result(await queueOf(idOrName, { stack }), job, stream),
    );
  for (const [name, description] of [
    ["status", "show a job as it is, with its output when it is done"],
    ["cancel", "cancel a waiting or running job"],
    ["retry", "run a failed or timed-out job again, with its input"],
  ] as const)
    ofJob(name, description).action(async (idOrName: string, job: string, whose: Whose) =>
      printJson(await (await queueOf(idOrName, whose))[name](job)),
    );

  ofEndpoint("purge", "remove all waiting jobs; running jobs continue")
    .option("-y, --yes", "do not ask")
    .action(purge);

  ofEndpoint("health", "show how many jobs and workers there are, by their state").action(
    async (idOrName: string, whose: Whose) => printJson(await (await queueOf(idOrName, whose)).health()),
  );
}

async function send(idOrName: string, text: string, options: Options, command: Command): Promise<void> {
  const { wait, stream, webhook, s3Config } = options;
  if ([text, webhook?.slice(1), s3Config].filter((file) => file === "-").length > 1)
    command.error("error: standard input can be read once only");
  const request = { input: await inputOf(text, command), ...(await requestOf(options, command)) };
  const endpoint = await queueOf(idOrName, options);
  const receipt = await endpoint.run(request);
  if (!wait && !stream) return printJson(receipt);
  tell(`podlumi: job ${receipt.id}`);
  await result(endpoint, receipt.id, stream);
}

async function purge(
  idOrName: string,
  { stack, yes }: Whose & { yes?: true },
  command: Command,
): Promise<void> {
  const endpoint = await queueOf(idOrName, { stack, changes: true });
  if (!yes) {
    const { inQueue } = (await endpoint.health()).jobs;
    if (inQueue === 0) return printJson({ removed: 0 });
    await mustAgree(command, `Remove ${counted(inQueue, "job")} of ${inLine(idOrName)}?`, "remove");
  }
  printJson({ removed: await endpoint.purgeQueue() });
}

/** Prints what a job yields while it runs, or its output when it is done. Ctrl-C ends the wait, and not the job. */
async function result(endpoint: Endpoint, job: string, stream: true | undefined): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  const stop = () => over.abort();
  process.once("SIGINT", stop);
  tellStates(endpoint, job, signal).catch(() => undefined);
  try {
    if (!stream) return printJson((await endpoint.wait(job, { signal })).output);
    for await (const { output } of endpoint.stream(job, { signal })) print(jsonOf(output));
  } catch (error) {
    if (!signal.aborted) throw error;
    tell(
      `podlumi: no longer waiting for job ${inLine(job)} of endpoint ${endpoint.id}. ${remedies().openJob}`,
    );
    process.exitCode = interrupted;
  } finally {
    process.off("SIGINT", stop);
    stop();
  }
}

/** The exit code of a program that Ctrl-C has ended. */
const interrupted = 128 + constants.signals.SIGINT;

/** Milliseconds between two looks at a job for what to tell. */
const looks = 5_000;

/** Tells the state of a job that takes long, and its changes. Where the endpoint has no workers, a job may wait for a day. */
async function tellStates(endpoint: Endpoint, job: string, signal: AbortSignal): Promise<void> {
  for (let told: string | undefined; ; ) {
    await systemClock.sleep(looks, signal);
    const { status } = await endpoint.status(job, { signal });
    if (status === told) continue;
    told = status;
    const waits = status === "IN_QUEUE" ? `. Workers: ${await workersOf(endpoint, signal)}` : "";
    tell(`podlumi: the job is ${status}${waits}`);
  }
}

async function workersOf(endpoint: Endpoint, signal: AbortSignal): Promise<string> {
  const { workers } = await endpoint.health({ signal });
  const present = Object.entries(workers).filter(([, amount]) => amount > 0);
  return present.map(([state, amount]) => `${amount} ${state}`).join(", ") || "none";
}

/**
 * The queue of an endpoint, in the account of the environment. The endpoint is looked up first: a queue that does not know the id may be a
 * new one, for which the client would wait. A key of queues alone cannot look, and then it has to be the id.
 */
async function queueOf(idOrName: string, whose: Search): Promise<Endpoint> {
  const api = account();
  let missing: ExpectedError | undefined;
  const found = await meant(api.impatient(), ["ServerlessEndpoint"], idOrName, whose).catch((error) => {
    if (!(error instanceof ExpectedError) || error.code === "PODLUMI-AMBIGUOUS") throw error;
    if (error.code === "PODLUMI-NOT-FOUND") missing = error;
    return undefined;
  });
  const object = found?.object;
  if (object?.type === "LOAD_BALANCER") {
    const base = at(object, "requestUrls", "base");
    throw new CommandError(
      `${inLine(String(object.name))} (${object.id}) is a LOAD_BALANCER endpoint, which has no queue: send HTTP requests to ${base}`,
    );
  }
  const endpoint = new Endpoint(object?.id ?? idOrName, environmentSettings());
  if (missing !== undefined) {
    // The queue also knows endpoints that are not the account's. None of those is new.
    const queue = api.impatient(1_000).queue(endpoint.id);
    await queue.send({ operation: "health", read: readHealth }).catch((error) => {
      throw error instanceof ExpectedError && error.code === "PODLUMI-NO-QUEUE" ? missing : error;
    });
    tell(`podlumi: ${missing.message}`);
  }
  return endpoint;
}
