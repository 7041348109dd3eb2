import type { Command } from "commander";
import { isRecord } from "../../../provider/value";
import { type JobRequest, ranges, type S3Config, secretsOf, wrongAddress } from "../../jobs/request";
import { contentOf, timeFrom } from "../arguments";
import { hide } from "../output";

/** The options of a request beside its input. */
export interface RequestOptions {
  readonly webhook?: string;
  readonly executionTimeout?: number;
  readonly ttl?: number;
  readonly lowPriority?: true;
  readonly s3Config?: string;
}

/** Adds the options of a request. What may be secret comes from a file: all users of a machine see the arguments of its processes. */
export function withRequestOptions(command: Command): Command {
  return command
    .option("--webhook <address>", "what the service calls when the job is over; @FILE reads it from a file")
    .option(
      "--execution-timeout <time>",
      "how long it may run, 5s to 7d; default: the endpoint's timeout",
      timeFrom(ranges["policy.executionTimeout"]),
    )
    .option(
      "--ttl <time>",
      "when it is removed, even if it runs: 10s to 7d; default 1d",
      timeFrom(ranges["policy.ttl"]),
    )
    .option("--low-priority", "let other jobs go first")
    .option("--s3-config <file>", `the bucket for the worker's files, as JSON: ${s3Keys.join(", ")}`);
}

/** The request that these options make. A wrong one ends the command, and is not repeated: it may be secret. */
export async function requestOf(
  { webhook: given, executionTimeout, ttl, lowPriority, s3Config: file }: RequestOptions,
  command: Command,
): Promise<Omit<JobRequest, "input">> {
  const webhook = given?.startsWith("@") ? (await contentOf(given.slice(1), "--webhook")).trim() : given;
  for (const fault of wrongAddress(webhook)) command.error(`error: --${fault}`);
  const policy = { executionTimeout, ttl, lowPriority };
  const hasPolicy = Object.values(policy).some((value) => value !== undefined);
  const s3Config = file === undefined ? undefined : s3ConfigOf(await contentOf(file, "--s3-config"), command);
  const request = { webhook, policy: hasPolicy ? policy : undefined, s3Config };
  hide(secretsOf({ ...request, input: {} }));
  return request;
}

const s3Keys: readonly (keyof S3Config)[] = ["accessId", "accessSecret", "bucketName", "endpointUrl"];

function s3ConfigOf(content: string, command: Command): S3Config {
  let config: unknown;
  try {
    config = JSON.parse(content);
  } catch {
    // The parser's own message repeats the content.
  }
  if (!isRecord(config)) command.error("error: --s3-config needs a file that holds a JSON object");
  const wrong = s3Keys.filter((key) => typeof config[key] !== "string" || config[key] === "");
  if (wrong.length > 0) command.error(`error: --s3-config needs a string for ${wrong.join(", ")}`);
  const unknown = Object.keys(config).filter((key) => !s3Keys.some((known) => known === key));
  if (unknown.length > 0) command.error(`error: --s3-config takes nothing but ${s3Keys.join(", ")}`);
  return config as unknown as S3Config;
}
