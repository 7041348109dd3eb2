import { ConfigurationError } from "./client/errors";
import { isLoopback } from "./client/loopback";
import { nearestProperty } from "./did-you-mean";
import { isRecord, mapped } from "./value";

/** Account and addresses, complete and valid. Addresses have no slash at the end. */
export interface Settings {
  readonly apiKey: string;
  readonly apiUrl: string;
  readonly graphqlUrl: string;
  readonly queueUrl: string;
}

/** A setting comes from the stack configuration or a program's options, else from the environment, else from the default. */
const sources: Record<keyof Settings, { variable: string; default: string }> = {
  apiKey: { variable: "RUNPOD_API_KEY", default: "" },
  apiUrl: { variable: "RUNPOD_API_URL", default: "https://api.runpod.io/v2" },
  graphqlUrl: { variable: "RUNPOD_GRAPHQL_URL", default: "https://api.runpod.io/graphql" },
  queueUrl: { variable: "RUNPOD_QUEUE_URL", default: "https://api.runpod.ai" },
};

/** Ids of the objects whose data a replacement may lose, or `all`. */
export const confirmDataLoss = "podlumi:confirmDataLoss";

/** Tags for all that can have them, as JSON. */
const defaultTagsKey = "podlumi:defaultTags";

/** The key of a setting in the stack configuration. */
const keyOf = (name: string) => `podlumi:${name}`;

/** The names of all settings, which are the arguments of a provider. */
const settingNames = [...Object.keys(sources), "confirmDataLoss", "defaultTags"];

/** Looks up a key of the stack configuration. */
export type Lookup = (key: string) => string | undefined;

/** The values of a user, and the names to use in messages. */
interface UserSettings {
  readonly value: (name: keyof Settings) => string | undefined;
  readonly called: (name: keyof Settings) => string;
  readonly howToSetKey: string;
}

const inVariable = `the environment variable ${sources.apiKey.variable}`;

const howToSetKey = `set it with \`pulumi config set --secret podlumi:apiKey\`, or in ${inVariable}`;

/** The settings of a run. Throws a {@link ConfigurationError} that names the setting and says how to fix it. */
export function settings(config: Lookup, environment?: NodeJS.ProcessEnv): Settings {
  // A setting may also be an argument of a `Provider`, and nothing distinguishes the two here.
  const called = (name: keyof Settings) => `${keyOf(name)} (${name} of a Provider)`;
  return complete({ value: (name) => config(keyOf(name)), called, howToSetKey }, environment);
}

/** Tags for all that can have them. `pulumi config set --path` makes numbers and booleans of some texts. */
export function defaultTags(config: Lookup): Record<string, string> {
  const isTag = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);
  try {
    const tags: unknown = JSON.parse(config(defaultTagsKey) ?? "{}");
    if (isRecord(tags) && Object.values(tags).every(isTag)) return mapped(tags, String);
  } catch {
    // It is no JSON: the same mistake.
  }
  throw new ConfigurationError(
    `${defaultTagsKey} (defaultTags of a Provider) must have a text for each key: write \`pulumi config set --path ${defaultTagsKey}.team ml\``,
  );
}

/** Mistakes in the settings of a run. A missing key is none: a preview works without it. */
export function faultsOf(config: Lookup, keys: readonly string[], environment: NodeJS.ProcessEnv): string[] {
  const { variable } = sources.apiKey;
  try {
    settings(config, { ...environment, [variable]: environment[variable] || "unset" });
    defaultTags(config);
    return unknownKeys(keys);
  } catch (error) {
    if (error instanceof ConfigurationError) return [error.message];
    throw error;
  }
}

/** The settings of a program without a stack: its options have the names of the settings. */
export function programSettings(options: Partial<Settings>): Settings {
  const howToSetKey = `pass it as \`apiKey\`, or in ${inVariable}`;
  return complete({ value: (name) => options[name], called: (name) => name, howToSetKey });
}

/** The settings of a command, from the environment only. */
export function environmentSettings(): Settings {
  return complete({ value: () => undefined, called: (name) => name, howToSetKey: `set ${inVariable}` });
}

function complete(user: UserSettings, environment: NodeJS.ProcessEnv = process.env): Settings {
  const apiKey = settingOf("apiKey", user, environment);
  if (apiKey.value === "") throw new ConfigurationError(`no API key: ${user.howToSetKey}`);
  // A header cannot carry every character, and a copied text may have invisible ones. Some tools take the quotes of a line
  // `RUNPOD_API_KEY="…"` for a part of the value.
  if (/[^\x21-\x7e]|["'`]/.test(apiKey.value))
    throw new ConfigurationError(
      `${apiKey.origin} must not contain quotes, white space, invisible characters, or letters beyond ASCII: copy the key again`,
    );
  return {
    apiKey: apiKey.value,
    apiUrl: address("apiUrl", user, environment),
    graphqlUrl: address("graphqlUrl", user, environment),
    queueUrl: address("queueUrl", user, environment),
  };
}

/** Messages for keys that begin with `podlumi:` but do not exist. */
export function unknownKeys(keys: readonly string[]): string[] {
  const own = keys.filter((key) => key.startsWith("podlumi:"));
  return unknownOf("configuration key", own, settingNames.map(keyOf));
}

/** Messages for unknown arguments of a provider. */
export function unknownArguments(names: readonly string[]): string[] {
  return unknownOf("argument", names, settingNames);
}

/** Arguments of Pulumi itself are no mistake. SST also writes the version into the configuration of each stack. */
function unknownOf(noun: string, names: readonly string[], known: readonly string[]): string[] {
  const isOfPulumi = (name: string) => /^(podlumi:)?(version|pluginDownloadURL|__.*)$/.test(name);
  return names
    .filter((name) => !known.includes(name) && !isOfPulumi(name))
    .map((name) => `unknown ${noun} ${name}${nearestProperty(name, known)}`);
}

/** The configuration of a run from the arguments of a provider. Null means not set, but a key of null is empty. */
export function configOf(inputs: Readonly<Record<string, unknown>>): Record<string, string> {
  const args = { ...inputs, ...(inputs.apiKey === null && { apiKey: "" }) };
  const set = Object.entries(args).filter(([name, value]) => settingNames.includes(name) && value != null);
  const text = (value: unknown) => (isRecord(value) ? JSON.stringify(value) : String(value));
  return Object.fromEntries(set.map(([name, value]) => [keyOf(name), text(value)]));
}

function settingOf(name: keyof Settings, user: UserSettings, environment: NodeJS.ProcessEnv) {
  const { variable, default: otherwise } = sources[name];
  const origin = user.called(name);
  const value = user.value(name)?.trim();
  // An empty value is an error: the environment may have the key of another account.
  if (value === "") throw new ConfigurationError(`${origin} is empty: give it a value, or remove it`);
  if (value !== undefined) return { origin, value };
  const set = environment[variable]?.trim();
  return set ? { origin: variable, value: set } : { origin: "the default", value: otherwise };
}

/** The API key goes to these addresses, so they must be https, except on this machine. A gateway's may hold a secret: no message has it. */
function address(name: keyof Settings, user: UserSettings, environment: NodeJS.ProcessEnv): string {
  const { origin, value } = settingOf(name, user, environment);
  const fail = (fault: string) => {
    throw new ConfigurationError(`${origin} ${fault}`);
  };
  if (!URL.canParse(value)) fail(`must be an address such as ${sources[name].default}`);
  const url = new URL(value);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url)))
    fail(
      "must begin with https:// (http:// is for loopback addresses only), since the API key is sent to it",
    );
  // The emulator runs this command, or its settings are those that it printed.
  if (environment.PODLUMI_EMULATED && !isLoopback(url))
    fail(
      `leads to ${url.host}, and this command runs with the emulator, which must not act on a real account: take a stack without it, or ` +
        "run the command without the emulator",
    );
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    fail("must be a plain address, without user name, query or fragment");
  const plain = url.href.replace(/\/+$/, "");
  // A gateway may have REST v2 at another path.
  if (name === "apiUrl" && url.hostname.endsWith(".runpod.io") && !plain.endsWith("/v2"))
    fail(`must be the address of REST v2: ${sources.apiUrl.default}`);
  // The vendor's clients take the address with it.
  if (name === "queueUrl" && plain.endsWith("/v2")) fail("must not end in /v2, which podlumi adds");
  return plain;
}
