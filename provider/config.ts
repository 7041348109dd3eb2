import { ConfigurationError } from "./client/errors";

/** Account and addresses, complete and valid. Addresses have no slash at the end. */
export interface Settings {
  readonly apiKey: string;
  readonly apiUrl: string;
  readonly graphqlUrl: string;
  readonly queueUrl: string;
}

/** Where a setting is looked for: stack configuration, then environment, then default. */
const sources: Record<keyof Settings, { key: string; variable: string; default?: string }> = {
  apiKey: { key: "podlumi:apiKey", variable: "RUNPOD_API_KEY" },
  apiUrl: { key: "podlumi:apiUrl", variable: "RUNPOD_API_URL", default: "https://api.runpod.io/v2" },
  graphqlUrl: {
    key: "podlumi:graphqlUrl",
    variable: "RUNPOD_GRAPHQL_URL",
    default: "https://api.runpod.io/graphql",
  },
  queueUrl: { key: "podlumi:queueUrl", variable: "RUNPOD_QUEUE_URL", default: "https://api.runpod.ai" },
};

/** Looks up a key of the stack configuration. */
export type Lookup = (key: string) => string | undefined;

/** The settings of a run. Throws a {@link ConfigurationError} that names the key and says how to mend it. */
export function settings(config: Lookup, environment: NodeJS.ProcessEnv = process.env): Settings {
  const apiKey = found("apiKey", config, environment);
  if (apiKey === undefined) {
    const { key, variable } = sources.apiKey;
    throw new ConfigurationError(
      `no API key: set it with \`pulumi config set --secret ${key} …\`, or in the environment variable ${variable}`,
    );
  }
  if (/\s/.test(apiKey.value)) throw new ConfigurationError(`${apiKey.origin} must not contain white space`);
  return {
    apiKey: apiKey.value,
    apiUrl: address("apiUrl", config, environment),
    graphqlUrl: address("graphqlUrl", config, environment),
    queueUrl: address("queueUrl", config, environment),
  };
}

function found(name: keyof Settings, config: Lookup, environment: NodeJS.ProcessEnv) {
  const source = sources[name];
  for (const [origin, value] of [
    [source.key, config(source.key)],
    [source.variable, environment[source.variable]],
    ["the default", source.default],
  ] as const) {
    if (value !== undefined && value.trim() !== "") return { origin, value: value.trim() };
  }
  return undefined;
}

/** Keys travel to these addresses, so anything but https is refused, except to this machine. */
function address(name: keyof Settings, config: Lookup, environment: NodeJS.ProcessEnv): string {
  const { origin, value } = found(name, config, environment) ?? { origin: name, value: "" };
  if (!URL.canParse(value))
    throw new ConfigurationError(`${origin} must be an address such as ${sources[name].default}`);
  const url = new URL(value);
  const loopback =
    url.hostname === "localhost" || url.hostname === "[::1]" || /^127(\.\d+){3}$/.test(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && loopback)) {
    throw new ConfigurationError(
      `${origin} must begin with https:// (http:// is for loopback addresses only), since the API key travels to it`,
    );
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new ConfigurationError(`${origin} must be a plain address, without user name, query or fragment`);
  }
  return url.href.replace(/\/+$/, "");
}
