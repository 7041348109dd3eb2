import { spawn } from "node:child_process";
import { constants } from "node:os";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { misspelt } from "../../provider/did-you-mean";

const HELP = `Usage: podlumi emulator [options] [-- COMMAND …]

Emulates the service on loopback, with an account that lives as long as the
emulator. With \`-- COMMAND\`, it runs the command with the settings in its
environment, and ends with it and its exit code.

  --port <n>            default 4010; with a command, any free port
  --host <address>      default 127.0.0.1
  --api-key <key>       accept only this key; by default, any
  --workers-quota <n>   sum of workers.max over all endpoints, default 5
  --balance <usd>       default 1000
  --postpaid            the account is postpaid: its balance refuses nothing
  --spend-limit <usd>   what pods and workers may cost together, in USD an hour,
                        default 100
  --no-account          REST has no /account, /account/limits, /billing/balance
  --stream-list         /stream returns a list, as documented; by default
                        {status, stream}, as the live service
  --no-global-volumes   REST has no /global-volumes
  --no-registry-update  REST cannot change a registry credential
  --no-scopes           keys may read neither limits nor balance: 403
  --rate-limit <n>      requests to REST per minute, enforced
  --graphql-limit <n>   requests to GraphQL per minute, enforced
  --latency <ms>        delay of every response
  --list-lag <ms>       how far lists are behind the writes
  --read-lag <ms>       how far reads of single objects are behind the writes
  --fast                nothing takes time
  --no-rest-secrets     REST has no /account/secrets
  --no-extras           GraphQL has only what the service's guides use, not the
                        whole public schema
  --docker-args         GraphQL calls the container arguments dockerArgs
  --no-graphql          GraphQL answers 410
  --no-env              the platform adds no environment variables
  --seed <file>         objects to begin with, as JSON:
                        {"networkVolumes": [{"as": "data", …}], "pods": […]};
                        an entry is the body of a create request, and "$data"
                        stands for the id of the entry "as" data
  --fault-seed <n>      seed of faults that come with a probability, default 1

The page at / of the same port shows the account, the requests and the faults
live.

Plan faults there, or with these requests to the same port:

  POST   /faults        adds a fault, or an array of them, as application/json;
                        returns their ids
  GET    /faults        the plan and the requests that met a fault
  DELETE /faults        ends all faults; DELETE /faults/<id> ends one

  {
    "match": {"interface": "rest", "method": "POST", "path": "/pods"},
    "when": "before" or "after",
    "what": {"status": 502},
    "times": 1, "skip": 0, "probability": 1
  }

  match        a missing property matches anything. interface: rest, graphql or
               queue; path: below the address of the interface, where * stands
               for one segment; operation: a field of GraphQL
  when         before: the service does nothing; after: it has acted, and the
               response is corrupted
  what         one of {"status": n, "detail": text}, {"reset": true},
               {"delay": ms}, {"hang": true}, {"malformed": true},
               {"truncated": true}, {"rateLimited": {"retryAfter": s}},
               {"capacity": true}, {"inUse": true}, {"nameTaken": true},
               {"blank": [names]}, {"oversized": bytes}, {"nested": depth},
               {"gzipBomb": bytes};
               {"later": ms, "status": n, "detail": text} or
               {"later": ms, "reset": true}: the error at once (default 504),
               the effect after that time; {"lag": ms}: lists and single reads
               are that old, but not older than the fault; both with when
               "before";
               {"answer": {"status": n, "body": JSON, "text": text,
               "type": content type}}: another response than the contract's,
               with a JSON body, a text, or none
  times        how often, default 1; 0: until it is deleted
  skip         how many matching requests pass first, default 0
  probability  for each matching request after those, default 1
`;

const quota = (minute?: string) => (minute ? { minute: Number(minute), enforce: true } : undefined);

const INSTANT = { provisioning: 0, starting: 0, stopping: 0, templateRelease: 0, queueReady: 0, jobTime: 0 };

const options = {
  help: { type: "boolean", short: "h" },
  port: { type: "string" },
  host: { type: "string" },
  "api-key": { type: "string" },
  "workers-quota": { type: "string", default: "5" },
  balance: { type: "string", default: "1000" },
  postpaid: { type: "boolean" },
  "spend-limit": { type: "string", default: "100" },
  "no-account": { type: "boolean" },
  "stream-list": { type: "boolean" },
  "no-global-volumes": { type: "boolean" },
  "no-registry-update": { type: "boolean" },
  "no-scopes": { type: "boolean" },
  "rate-limit": { type: "string" },
  "graphql-limit": { type: "string" },
  latency: { type: "string", default: "0" },
  "list-lag": { type: "string", default: "0" },
  "read-lag": { type: "string", default: "0" },
  fast: { type: "boolean" },
  "no-rest-secrets": { type: "boolean" },
  "no-extras": { type: "boolean" },
  "docker-args": { type: "boolean" },
  "no-graphql": { type: "boolean" },
  "no-env": { type: "boolean" },
  seed: { type: "string" },
  "fault-seed": { type: "string", default: "1" },
} as const satisfies ParseArgsConfig["options"];

/** The options that take a number. Of any other text, the emulator would make a limit that is none. */
const NUMBERS = [
  "port",
  "workers-quota",
  "balance",
  "spend-limit",
  "rate-limit",
  "graphql-limit",
  "latency",
  "list-lag",
  "read-lag",
  "fault-seed",
] as const;

async function main(): Promise<void> {
  const { values, positionals: command } = parseArgs({ allowPositionals: true, options });
  if (values.help) return console.log(HELP);
  for (const name of NUMBERS) {
    const value = values[name];
    if (value === undefined || /^\d+(\.\d+)?$/.test(value)) continue;
    refuse(`--${name} takes a number, not "${value}"`);
  }
  if (!isPort(values.port)) refuse(`--port takes a whole number up to 65535, not "${values.port}"`);
  // Loaded here, because the help needs no fastify.
  const { startEmulator }: typeof import(".") = require(".");
  const emulator = await startEmulator({
    port: Number(values.port ?? (command.length > 0 ? 0 : 4010)),
    host: values.host,
    apiKey: values["api-key"],
    workersQuota: Number(values["workers-quota"]),
    balance: Number(values.balance),
    billingMode: values.postpaid ? "POSTPAID" : "PREPAID",
    spendLimit: Number(values["spend-limit"]),
    scopes: values["no-scopes"] ? [] : undefined,
    rateLimit: quota(values["rate-limit"]),
    graphqlRateLimit: quota(values["graphql-limit"]),
    timings: {
      ...(values.fast && INSTANT),
      latency: Number(values.latency),
      listLag: Number(values["list-lag"]),
      readLag: Number(values["read-lag"]),
    },
    features: {
      restSecrets: !values["no-rest-secrets"],
      accountPaths: !values["no-account"],
      streamStatus: !values["stream-list"],
      globalVolumes: !values["no-global-volumes"],
      registryUpdate: !values["no-registry-update"],
      graphqlExtras: !values["no-extras"],
      templateArgs: values["docker-args"] ? "dockerArgs" : "containerArgs",
      graphql: !values["no-graphql"],
    },
    injectEnv: !values["no-env"],
    faultSeed: Number(values["fault-seed"]),
  });
  try {
    if (values.seed !== undefined) await emulator.seed(values.seed);
  } catch (error) {
    await emulator.close();
    throw error;
  }
  // podlumi then asks no real account, and leaves its objects alone.
  const settings = { ...emulator.env, PODLUMI_EMULATED: "1" };
  if (command.length > 0) {
    process.exitCode = await run(command, { ...process.env, ...settings });
    return emulator.close();
  }
  console.log(
    `REST     ${emulator.apiUrl}\nGraphQL  ${emulator.graphqlUrl}\nQueue    ${emulator.queueUrl}\nPage     ${emulator.pageUrl}\n`,
  );
  for (const [name, value] of Object.entries(settings)) console.log(`export ${name}=${value}`);
  const stop = () => void emulator.close();
  process.once("SIGINT", stop).once("SIGTERM", stop);
}

const isPort = (port = "0") => Number.isInteger(Number(port)) && Number(port) < 65_536;

function refuse(what: string): never {
  console.error(`error: ${what}\n(see --help)`);
  process.exit(2);
}

/** Runs a command to its end, and answers its exit code; as shells do, 128 and the signal when a signal ended it. */
function run([program = "", ...args]: string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((ended) => {
    const child = spawn(program, args, { env, stdio: "inherit", shell: process.platform === "win32" });
    // A terminal sends Ctrl-C to the command as well, which may need the service to end in order.
    process.on("SIGINT", () => undefined).on("SIGTERM", () => child.kill("SIGTERM"));
    child.on("error", ({ code, message }: NodeJS.ErrnoException) => {
      console.error(code === "ENOENT" ? `there is no command ${program}` : message);
      ended(127);
    });
    child.on("exit", (code, signal) => ended(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/** A wrong command line, in the words of the other commands. */
function misuse({ code, message }: NodeJS.ErrnoException): string {
  const unknown = code === "ERR_PARSE_ARGS_UNKNOWN_OPTION" ? /'(-[^']*)'/.exec(message)?.[1] : undefined;
  if (unknown === undefined) return `error: ${message}`;
  const near = misspelt(unknown.replace(/^-+/, ""), Object.keys(options));
  return `error: unknown option '${unknown}'${near === undefined ? "" : `\n(Did you mean --${near}?)`}`;
}

const advice = ({ code }: NodeJS.ErrnoException) =>
  code === "EADDRINUSE" ? ". Perhaps another emulator runs there: end it, or give another --port" : "";

main().catch((error: NodeJS.ErrnoException) => {
  const misused = error.code?.startsWith("ERR_PARSE_ARGS") === true;
  console.error(misused ? `${misuse(error)}\n(see --help)` : `${error.message}${advice(error)}`);
  process.exitCode = misused ? 2 : 1;
});
