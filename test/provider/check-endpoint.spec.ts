import { adoptField } from "../../provider/core/own/adopt";
import { serverlessEndpoint } from "../../provider/resources/serverless-endpoint";
import { checker } from "../../provider/schema/check";
import { type Properties, unknownValue } from "../../provider/value";
import { check, valid } from "./checked";

test.each<[string, Properties, string, RegExp]>([
  [
    "instances of REST v1",
    { gpu: undefined, cpu: "cpu3c-2-4, cpu5c" },
    "cpu",
    /: write \[\{ id: "cpu3c", vcpuCount: 2 \}, \{ id: "cpu5c", vcpuCount: 2 \}\]$/,
  ],
  [
    "a GPU type that GraphQL leaves out among the pools",
    { gpu: { pools: ["AMPERE_48", "-NVIDIA RTX A6000"] } },
    "gpu.pools[1]",
    /^must be a GPU pool: write excludedTypes: \["NVIDIA RTX A6000"\] beside pools, not "-NVIDIA RTX A6000"$/,
  ],
  ["neither GPU nor CPU", { gpu: undefined }, "gpu", /is required, or cpu: give one of them/],
  [
    "a job for a load balancer",
    {
      type: "LOAD_BALANCER",
      scaling: { type: "REQUEST_COUNT", requestCount: 1 },
      verify: { input: { a: 1 } },
    },
    "verify",
    /has no queue that could take a job: .* set waitFor to "READY"/,
  ],
  [
    "a job without workers",
    { workers: { max: 0 }, verify: { input: { a: 1 } } },
    "verify",
    /no worker that could do the job while workers.max is 0/,
  ],
  ["a job without input", { verify: { input: {} } }, "verify.input", /workers refuse an empty input/],
  [
    "a misspelt keyword",
    { verify: { input: { a: 1 }, expect: { text: { $patern: "x" } } } },
    "verify.expect.text.$patern",
    /is not a keyword; the keywords are \$type, \$pattern/,
  ],
  [
    "a keyword with a wrong value",
    { verify: { input: { a: 1 }, expect: { list: { $contains: { n: { $minimum: "1" } } } } } },
    "verify.expect.list.$contains.n.$minimum",
    /^must be a number: write it without quotes/,
  ],
  [
    "a pattern that is none",
    { verify: { input: { a: 1 }, expect: { $pattern: "(" } } },
    "verify.expect.$pattern",
    /must be a regular expression/,
  ],
  [
    "waiting for a worker where there may be none",
    { workers: { max: 2 }, waitFor: "READY" },
    "waitFor",
    /no worker to wait for while workers.min is 0.* or use verify/,
  ],
  [
    "a timeout in minutes",
    { timeout: "5m" },
    "timeout",
    /^must be a number of milliseconds, not "5m": write 300000$/,
  ],
  ["a switch for a job", { verify: true }, "verify", /^must be an object; it takes expect, input, timeout$/],
  [
    "a number for a scaler",
    { scaling: 4 },
    "scaling",
    /^must be an object, not 4: \{ type: "QUEUE_DELAY", queueDelay \} or \{ type: "REQUEST_COUNT", requestCount \}$/,
  ],
  [
    "an object with an id for an id",
    { networkVolumes: [{ id: "v1" }] },
    "networkVolumes[0]",
    /^must be a string: write "v1"$/,
  ],
  [
    "an object with an id that is not known yet",
    { networkVolumes: [{ id: unknownValue }] },
    "networkVolumes[0]",
    /^must be a string: write its id alone$/,
  ],
  ["a revision without its template", { templateRevision: "abc" }, "templateRevision", /give the templateId/],
  ["a pool as a text", { gpu: "ADA_24" }, "gpu", /: write \{ pools: \["ADA_24"\] \}/],
  ["an endpoint without type", { type: undefined }, "type", /is required/],
  [
    "an endpoint without a scaler",
    { scaling: undefined },
    "scaling",
    /^is required: \{ type: "QUEUE_DELAY", queueDelay \} or \{ type: "REQUEST_COUNT", requestCount \}$/,
  ],
  ["no pools", { gpu: { pools: [] } }, "gpu.pools", /at least one item/],
  [
    "a load balancer that waits for a queue",
    { type: "LOAD_BALANCER" },
    "scaling.type",
    /scale on "REQUEST_COUNT"/,
  ],
  ["an unknown scaler", { scaling: { type: "CPU" } }, "scaling.type", /"QUEUE_DELAY" or/],
  [
    "the other scaler's number",
    { scaling: { type: "QUEUE_DELAY", queueDelay: 1, requestCount: 2 } },
    "scaling.requestCount",
    /unknown property "requestCount"; it belongs to the type "REQUEST_COUNT"$/,
  ],
  [
    "an idle time-out where none applies",
    { scaling: { type: "REQUEST_COUNT", requestCount: 1 }, workers: { idleTimeout: 5 } },
    "workers.idleTimeout",
    /does not apply/,
  ],
  [
    "an idle time-out of two hours",
    { workers: { idleTimeout: 7200 } },
    "workers.idleTimeout",
    /at most 3600/,
  ],
  ["more workers at least than at most", { workers: { min: 4 } }, "workers.min", /4 is more than 3/],
  ["flashboot as a boolean", { flashboot: true }, "flashboot", /"OFF", "FLASHBOOT" or/],
  [
    "the same CPUs twice",
    { gpu: undefined, cpu: [1, 2].map(() => ({ id: "cpu3c", vcpuCount: 2 })) },
    "cpu",
    /stands twice/,
  ],
  [
    "a minus sign, as GraphQL has it,",
    { gpu: { pools: ["AMPERE_24"], excludedTypes: ["-NVIDIA L4"] } },
    "gpu.excludedTypes[0]",
    /without a minus sign/,
  ],
  [
    "a GPU type with outer white space",
    { gpu: { pools: ["AMPERE_24"], excludedTypes: [" NVIDIA L4 "] } },
    "gpu.excludedTypes[0]",
    /must not begin or end with white space, which the service removes/,
  ],
])("%s is reported at its path", (_title, changes, property, reason) => {
  expect(check("serverlessEndpoint", changes)).toMatchObject([
    { property, reason: expect.stringMatching(reason) },
  ]);
});

test("no default of the workers refuses an adopted endpoint, which keeps what the program leaves out", () => {
  const { fields, rules } = serverlessEndpoint;
  const adopted = checker({ ...fields, adopt: adoptField }, rules);
  const told = (changes: Properties) =>
    adopted({ ...valid.serverlessEndpoint, adopt: "4m7x2k9q", ...changes }).map(({ reason }) => reason);
  expect(told({ workers: { min: 5 } })).toEqual([]);
  expect(told({ workers: { max: 8 }, waitFor: "READY" })).toEqual([]);
  expect(told({ workers: { min: 5, max: 3 } })).toEqual(["must not be above workers.max: 5 is more than 3"]);
  expect(told({ workers: { min: 0 }, waitFor: "READY" })).toEqual([
    expect.stringMatching(/^there may be no worker to wait for/),
  ]);
  expect(told({ workers: { min: 5 }, adopt: undefined })).toEqual([
    "must not be above workers.max: 5 is more than 3, its default: set both",
  ]);
});
