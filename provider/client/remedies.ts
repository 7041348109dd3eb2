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
