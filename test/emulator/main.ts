import { parseArgs } from "node:util";
import { startEmulator } from ".";

const HELP = `Emulates the service on loopback, with an account of its own that lives as long as the program.

  --port <n>            default 4010
  --host <address>      default 127.0.0.1
  --api-key <key>       take this key only; any key otherwise
  --workers-quota <n>   sum of workers.max over all endpoints, default 5
  --balance <usd>       default 1000
  --rate-limit <n>      requests a minute, enforced
  --latency <ms>        delay of every answer
  --fast                nothing takes time
  --rest-secrets        serve /account/secrets
  --no-extras           GraphQL as in the specification, nothing more
  --docker-args         GraphQL calls the container arguments dockerArgs
  --no-graphql          GraphQL answers 410
  --no-env              the platform adds no environment variables
`;

const INSTANT = { provisioning: 0, starting: 0, stopping: 0, templateRelease: 0, queueReady: 0, jobTime: 0 };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      help: { type: "boolean", short: "h" },
      port: { type: "string", default: "4010" },
      host: { type: "string" },
      "api-key": { type: "string" },
      "workers-quota": { type: "string", default: "5" },
      balance: { type: "string", default: "1000" },
      "rate-limit": { type: "string" },
      latency: { type: "string", default: "0" },
      fast: { type: "boolean" },
      "rest-secrets": { type: "boolean" },
      "no-extras": { type: "boolean" },
      "docker-args": { type: "boolean" },
      "no-graphql": { type: "boolean" },
      "no-env": { type: "boolean" },
    },
  });
  if (values.help) return console.log(HELP);
  const emulator = await startEmulator({
    port: Number(values.port),
    host: values.host,
    apiKey: values["api-key"],
    workersQuota: Number(values["workers-quota"]),
    balance: Number(values.balance),
    rateLimit: values["rate-limit"] ? { minute: Number(values["rate-limit"]), enforce: true } : undefined,
    timings: { ...(values.fast && INSTANT), latency: Number(values.latency) },
    features: {
      restSecrets: values["rest-secrets"],
      graphqlExtras: !values["no-extras"],
      templateArgs: values["docker-args"] ? "dockerArgs" : "containerArgs",
      graphql: !values["no-graphql"],
    },
    injectEnv: !values["no-env"],
  });
  console.log(
    `REST     ${emulator.apiUrl}\nGraphQL  ${emulator.graphqlUrl}\nQueue    ${emulator.queueUrl}\n`,
  );
  for (const [name, value] of Object.entries(emulator.env)) console.log(`export ${name}=${value}`);
  const stop = () => void emulator.close();
  process.once("SIGINT", stop).once("SIGTERM", stop);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
