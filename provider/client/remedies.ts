/** The service's description of a failure. (API: Errors) */
export interface Problem {
  /** Such as `Bad Request`. */
  readonly title: string;
  /** The reason of this failure. */
  readonly detail: string;
  /** One line for each violation. */
  readonly errors: readonly string[];
  /** Code of a GraphQL error. `RUNPOD` means that a rule of the service refused the request. */
  readonly code?: string;
  /** True when the response is the service's own problem document, not a gateway's. */
  readonly known?: boolean;
}

/** The code of a failure, and the user's next step. */
export interface Remedy {
  readonly code: string;
  /** A sentence; empty when the service's own message is enough. */
  readonly next: string;
}

/** For a failure of any interface of the service. */
export function remedyFor(status: number): Remedy {
  switch (status) {
    case 401:
      return { code: "PODLUMI-UNAUTHORIZED", next: `Check the API key: ${remedies().apiKey}.` };
    case 402:
      return { code: "PODLUMI-NO-BALANCE", next: remedies().noBalance };
    case 403:
      return { code: "PODLUMI-FORBIDDEN", next: lacksPermission() };
    case 404:
      return { code: "PODLUMI-NOT-FOUND", next: "" };
    case 410:
      return { code: "PODLUMI-RETIRED", next: "The service has retired this interface: update podlumi." };
    case 429:
      return { code: "PODLUMI-RATE-LIMIT", next: remedies().rateLimit };
    default:
      if (status >= 500)
        return { code: "PODLUMI-SERVICE-FAILED", next: "The service failed; run the command again later." };
      return { code: status < 300 ? "PODLUMI-UNREADABLE" : "PODLUMI-REFUSED", next: "" };
  }
}

const lacksPermission = (orElse = "") =>
  `The key is valid but may not do this: check its permissions${orElse}.`;

/** REST has a form of its own for a failure. One in another form comes from a gateway, or from another address. */
export function remedyOfRest(method: string, path: string) {
  // Only an endpoint has pools.
  const mayNamePools = path.startsWith("/serverless") && (method === "POST" || method === "PATCH");
  return (status: number, { known }: Pick<Problem, "known">): Remedy => {
    const remedy = remedyFor(status);
    if (status === 403 && mayNamePools && known)
      return { ...remedy, next: lacksPermission(", or whether the account may use these GPU pools") };
    if (status === 403 && !known) return { ...remedy, next: turnedAway };
    if (status === 404) return { ...remedy, next: known ? (missing[method] ?? "") : wrongAddress() };
    return remedy;
  };
}

const turnedAway =
  "This is not the service's own response: a proxy or a firewall, here or before the service, turns the request away.";

const wrongAddress = () =>
  `This is not the service's own response: check ${remedies().restAddress} which has /v2 at its end.`;

/** By the method. */
const missing: Readonly<Record<string, string>> = {
  PATCH: "It is gone: run `pulumi refresh`, then `pulumi up` creates it again.",
  POST: "Something that it refers to by its id does not exist, or belongs to another account.",
};

const variables = "RUNPOD_API_URL and its like";

const ofPrograms = {
  // A refresh and a destroy use the configuration of the last `pulumi up`.
  apiKey:
    "the Provider's apiKey, podlumi:apiKey or RUNPOD_API_KEY; a refresh and a destroy then need --run-program",
  apiKeyOfQueue: "`apiKey` or, without it, the environment variable RUNPOD_API_KEY",
  addresses: `podlumi:apiUrl, or ${variables}`,
  restAddress: "podlumi:apiUrl, or RUNPOD_API_URL,",
  noBalance: "Add funds in RunPod's console, then run `pulumi up` again.",
  rateLimit: "The account's rate limit is used up: wait, or run with a lower --parallel.",
  failedJob: "retry() runs it again with the same input, while its result is kept.",
  slowJob: "Give it more time, with policy.executionTimeout or the endpoint's timeout.",
  openJob: "It continues: wait() for it again, or cancel() it.",
};

/** The next steps of the users of this process: where they set the account, and how they try again. */
type Remedies = Readonly<Record<keyof typeof ofPrograms, string>>;

const ofCommands: Remedies = {
  apiKey: "the environment variable RUNPOD_API_KEY",
  apiKeyOfQueue: "the environment variable RUNPOD_API_KEY",
  addresses: variables,
  restAddress: "RUNPOD_API_URL,",
  noBalance: "Add funds in RunPod's console.",
  rateLimit: "The account's rate limit is used up: wait.",
  failedJob:
    "While its result is kept, `npx podlumi jobs status` shows all of its error, and `npx podlumi jobs retry` runs it again.",
  slowJob: "Give it more time, with --execution-timeout or the endpoint's timeout.",
  openJob: "It continues: `npx podlumi jobs wait` waits for it again, and `npx podlumi jobs cancel` ends it.",
};

let ofProcess: Remedies = ofPrograms;

/** For the command line and for policies, which read the environment only. */
export function adviseForCommands(): void {
  ofProcess = ofCommands;
}

export function remedies(): Remedies {
  return ofProcess;
}
