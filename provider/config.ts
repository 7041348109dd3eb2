import { closest } from "fastest-levenshtein";
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

/** What is wrong with keys that begin like ours and are none. */
export function unknownKeys(keys: readonly string[]): string[] {
  const known = Object.values(sources).map(({ key }) => key);
  return keys
    .filter((key) => key.startsWith("podlumi:") && !known.includes(key))
    .map((key) => `unknown configuration key ${key}; did you mean ${closest(key, known)}?`);
}

function found(name: keyof Settings, config: Lookup, environment: NodeJS.ProcessEnv) {
  const { key, variable, default: otherwise } = sources[name];
  const configured = config(key)?.trim();
  // Empty where one was asked for: another account must not stand in for it.
  if (configured === "") throw new ConfigurationError(`${key} is empty: give it a value, or remove it`);
  if (configured !== undefined) return { origin: key, value: configured };
  const set = environment[variable]?.trim();
  if (set) return { origin: variable, value: set };
  return otherwise === undefined ? undefined : { origin: "the default", value: otherwise };
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
