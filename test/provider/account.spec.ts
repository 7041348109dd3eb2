import { Run } from "../../provider/core/call/run";
import { handler } from "../../provider/core/handler";
import { pod } from "../../provider/resources/pod";
import { serverlessEndpoint } from "../../provider/resources/serverless-endpoint";
import type { Properties } from "../../provider/value";
import { type Emulator, startEmulator } from "../../sdk/emulator/service";
import { fast } from "../harness/account";

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ ...fast, workersQuota: 5 });
});
afterAll(() => emulator.close());
beforeEach(() => {
  emulator.faults.clear();
  Object.assign(emulator.service, { balance: 50, billingMode: "PREPAID" });
});

const kinds = { Pod: pod, ServerlessEndpoint: serverlessEndpoint };
const trainer: Properties = { name: "trainer", image: "org/app:1", gpu: { id: "NVIDIA L4" } };
const llm: Properties = {
  name: "llm",
  type: "QUEUE",
  image: "org/worker:1",
  gpu: { pools: ["ADA_24"] },
  scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
  workers: { max: 3 },
};
let stacks = 0;

/** Checks resources in one run: new ones, and those with old inputs. What is warned of, and what fails. */
async function checked(...resources: [kind: keyof typeof kinds, inputs: Properties, before?: Properties][]) {
  const urn = (kind: string, index: number) =>
    `urn:pulumi:dev${stacks}::shop::pulumi-nodejs:dynamic/podlumi:${kind}::r${index}`;
  stacks++;
  const run = new Run({ ...emulator.env });
  const written = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  const failures: string[] = [];
  try {
    for (const [index, [kind, inputs, before]] of resources.entries()) {
      const own = { __urn: urn(kind, index), __providerId: "0b4c" };
      const olds = before && { desiredStatus: "RUNNING", ...before, ...own };
      const found = await handler(kinds[kind], run).check(olds, { ...inputs, ...own });
      failures.push(...(found.failures ?? []).map(({ property, reason }) => `${property}: ${reason}`));
    }
    return { failures, warnings: written.mock.calls.map(([text]) => String(text).trimEnd()) };
  } finally {
    written.mockRestore();
    // What a look asks for would be retried after the end of the specification.
    run.cancel();
  }
}

test.each([
  ["the key lacks the scope", { status: 403 }],
  ["the service does not have the path", { status: 404 }],
  ["the service fails", { status: 500 }],
  ["there is no answer", { hang: true as const }],
  ["it is no JSON", { malformed: true as const }],
  ["it has another shape", { answer: { status: 200, body: { serverlessWorkers: 1, balanceAmount: "0" } } }],
  ["it is null", { answer: { status: 200, body: null } }],
])("where %s, nothing is lost but the check", async (_why, what) => {
  emulator.service.balance = 0;
  for (const path of ["/account/limits", "/billing/balance"])
    emulator.faults.add({ match: { path }, when: "before", what, times: 0 });
  expect(await checked(["Pod", trainer], ["ServerlessEndpoint", { ...llm, workers: { max: 9 } }])).toEqual({
    failures: [],
    warnings: [],
  });
});

test("a quota fails with certainty only where the service counts as podlumi does", async () => {
  const over = { ...llm, workers: { max: 6 } };
  expect(await checked(["ServerlessEndpoint", over])).toEqual({
    failures: [expect.stringMatching(/^workers\.max: .* the account's quota is 5: .*\[PODLUMI-WORKERS\]$/)],
    warnings: [],
  });
  const body = { serverlessWorkers: { limit: 5, current: 1 }, spendRate: {} };
  const what = { answer: { status: 200, body } };
  emulator.faults.add({ match: { path: "/account/limits" }, when: "before", what, times: 0 });
  expect(await checked(["ServerlessEndpoint", over])).toEqual({
    failures: [],
    warnings: [expect.stringMatching(/^workers\.max: .* the account's quota is 5: .*\[PODLUMI-WORKERS\]$/)],
  });
});

test("without balance, a new pod fails, and an endpoint or a pod that starts is warned of", async () => {
  emulator.service.balance = -1;
  const text =
    "the account is prepaid and its balance is -1.00 USD, so nothing of this can start: add funds in RunPod's console [PODLUMI-NO-BALANCE]";
  const stopped = { ...trainer, desiredStatus: "EXITED" };
  expect(await checked(["Pod", trainer])).toEqual({ failures: [`: ${text}`], warnings: [] });
  expect(await checked(["ServerlessEndpoint", llm])).toEqual({ failures: [], warnings: [text] });
  expect(await checked(["Pod", trainer, stopped])).toEqual({ failures: [], warnings: [text] });
  expect(await checked(["Pod", stopped])).toEqual({ failures: [], warnings: [] });
  emulator.service.billingMode = "POSTPAID";
  expect(await checked(["Pod", trainer])).toEqual({ failures: [], warnings: [] });
});
