import { spawn } from "node:child_process";
import { constants } from "node:os";
import { parseArgs } from "node:util";
import { closest, distance } from "fastest-levenshtein";
import { options } from "./options";
import { endWithShellOfNpm } from "./shell-of-npm";

const help = { type: "boolean", short: "h" } as const;

/** The options that take a number. Of any other text, the emulator would make a limit that is none. */
const numbers = Object.entries(options).flatMap(([name, option]) =>
  "value" in option && ["n", "ms", "usd"].includes(option.value) ? [name as keyof typeof options] : [],
);

const optionLines = Object.entries(options).map(([name, option]) => {
  const called = `--${name}${"value" in option ? ` <${option.value}>` : ""}`;
  return `  ${called.padEnd(20)}  ${option.text.replaceAll("\n", `\n${" ".repeat(24)}`)}`;
});

const HELP = `Usage: podlumi emulator [options] [-- COMMAND …]

Emulates the service on loopback, with an account that lives as long as the
emulator. With \`-- COMMAND\`, it runs the command with the settings in its
environment, and ends with it and its exit code.

${optionLines.join("\n")}

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

async function main(): Promise<void> {
  endWithShellOfNpm();
  const { values, positionals: command } = parseArgs({
    allowPositionals: true,
    options: { help, ...options },
  });
  if (values.help) return console.log(HELP);
  for (const name of numbers) {
    const value = values[name];
    if (value === undefined || /^\d+(\.\d+)?$/.test(String(value))) continue;
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
      labels: !values["no-tags"],
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
  // podlumi then asks no real account. A stack of one is another account's for it.
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
  const name = unknown.replace(/^-+/, "");
  const near = closest(name, ["help", ...Object.keys(options)]);
  return `error: unknown option '${unknown}'${distance(name, near) > 2 ? "" : `\n(Did you mean --${near}?)`}`;
}

const advice = ({ code }: NodeJS.ErrnoException) =>
  code === "EADDRINUSE" ? ". Perhaps another emulator runs there: end it, or give another --port" : "";

main().catch((error: NodeJS.ErrnoException) => {
  const misused = error.code?.startsWith("ERR_PARSE_ARGS") === true;
  console.error(misused ? `${misuse(error)}\n(see --help)` : `${error.message}${advice(error)}`);
  process.exitCode = misused ? 2 : 1;
});
