/** An option of `podlumi emulator`. With `value`, it takes one; that of `n`, `ms` and `usd` is a number. */
interface EmulatorOption {
  readonly type: "string" | "boolean";
  readonly value?: string;
  /** For the help, in lines of at most 56 columns. */
  readonly text: string;
  readonly default?: string;
}

/** The options of `podlumi emulator`, in the order of its help. */
export const options = {
  port: { type: "string", value: "n", text: "default 4010; with a command, any free port" },
  host: { type: "string", value: "address", text: "default 127.0.0.1" },
  "api-key": { type: "string", value: "key", text: "accept only this key; by default, any" },
  "workers-quota": {
    type: "string",
    value: "n",
    text: "sum of workers.max over all endpoints, default 5",
    default: "5",
  },
  balance: { type: "string", value: "usd", text: "default 1000", default: "1000" },
  postpaid: { type: "boolean", text: "the account is postpaid: its balance refuses nothing" },
  "spend-limit": {
    type: "string",
    value: "usd",
    text: "what pods and workers may cost together, in USD an hour,\ndefault 100",
    default: "100",
  },
  "no-account": { type: "boolean", text: "REST has no /account, /account/limits, /billing/balance" },
  "stream-list": {
    type: "boolean",
    text: "/stream returns a list, as documented; by default\n{status, stream}, as the live service",
  },
  "no-global-volumes": { type: "boolean", text: "REST has no /global-volumes" },
  "no-registry-update": { type: "boolean", text: "REST cannot change a registry credential" },
  "no-tags": { type: "boolean", text: "REST has no /tags and no /cost-centers" },
  "no-scopes": { type: "boolean", text: "keys may read neither limits nor balance, nor use\ntags: 403" },
  "rate-limit": { type: "string", value: "n", text: "requests to REST per minute, enforced" },
  "graphql-limit": { type: "string", value: "n", text: "requests to GraphQL per minute, enforced" },
  latency: { type: "string", value: "ms", text: "delay of every response", default: "0" },
  "list-lag": { type: "string", value: "ms", text: "how far lists are behind the writes", default: "0" },
  "read-lag": {
    type: "string",
    value: "ms",
    text: "how far reads of single objects are behind the writes",
    default: "0",
  },
  fast: { type: "boolean", text: "nothing takes time" },
  "no-rest-secrets": { type: "boolean", text: "REST has no /account/secrets" },
  "no-extras": {
    type: "boolean",
    text: "GraphQL has only what the service's guides use, not the\nwhole public schema",
  },
  "docker-args": { type: "boolean", text: "GraphQL calls the container arguments dockerArgs" },
  "no-graphql": { type: "boolean", text: "GraphQL answers 410" },
  "no-env": { type: "boolean", text: "the platform adds no environment variables" },
  seed: {
    type: "string",
    value: "file",
    text: 'objects to begin with, as JSON:\n{"networkVolumes": [{"as": "data", …}], "pods": […]};\nan entry is the body of a create request, and "$data"\nstands for the id of the entry "as" data',
  },
  "fault-seed": {
    type: "string",
    value: "n",
    text: "seed of faults that come with a probability, default 1",
    default: "1",
  },
} as const satisfies Record<string, EmulatorOption>;
