import { type Properties, unknownValue } from "../../provider/value";
import { create, declared, emulator, haveInState, heard, provider, urnOf } from "./process";

// What a preview says of the quota of workers over all endpoints, which is 5.

const name = "llm";
const endpoint = (of: string, max: number, more: Properties = {}) =>
  declared("serverlessEndpoint", {
    name,
    __urn: urnOf("ServerlessEndpoint", of),
    workers: { max },
    ...more,
  });
const cpu = { gpu: undefined, cpu: [{ id: "cpu3c", vcpuCount: 2 }] };

/** An endpoint of the stack with 3 workers. */
async function had(of: string) {
  emulator.service.workersQuota = 5;
  const inputs = endpoint(of, 3);
  const { id, outs = {} } = await create("serverlessEndpoint", inputs);
  haveInState(id);
  return { id, inputs, state: { ...outs, __provider: "p" } };
}
type Endpoint = ReturnType<typeof provider>["serverlessEndpoint"];
type Had = Awaited<ReturnType<typeof had>>;

/** A new run, in which the engine checks and compares the endpoint of the stack. */
async function after({ id, inputs, state }: Had, edit: Properties = {}) {
  const { serverlessEndpoint: of } = provider();
  const news = { ...inputs, ...edit };
  await of.check(inputs, news);
  await of.diff(id, state, news);
  return { of, news };
}

/** What the check of a new endpoint, or of one that is replaced, warns of and refuses. */
async function told(of: Endpoint, news: Properties) {
  const { result, said } = await heard(() => of.check(undefined, news));
  return { warnings: said, failures: (result.failures ?? []).map(({ reason }) => reason).join() };
}

test("a replacement is created beside what it replaces: the preview says what fits", async () => {
  const before = await had("replaced");
  const { of, news } = await after(before, cpu);
  expect(await told(of, news)).toEqual({
    failures: "",
    warnings:
      "workers.max: all endpoints together could have 6 workers, and the account's quota is 5: this one 3, llm " +
      `(${before.id}) 3. Either lower workers.max to at most 2, or lower that of another one [PODLUMI-WORKERS]\n`,
  });
});

test("a second endpoint beside one that stays as it is fails the preview, with the number that fits", async () => {
  const { of } = await after(await had("stays"));
  expect(await told(of, endpoint("second", 3))).toEqual({
    warnings: "",
    failures: expect.stringMatching(
      /could have 6 workers, .*: this one 3, llm \(\w+\) 3\. Either lower workers\.max to at most 2, or lower that of another one \[/,
    ),
  });
});

test("an endpoint that leaves its workers out counts with the three that it gets", async () => {
  const { of } = await after(await had("beside the default"));
  const { failures } = await told(of, { ...endpoint("default", 3), workers: undefined });
  expect(failures).toContain("could have 6 workers");
});

test.each<[string, (before: Had) => Promise<{ of: Endpoint }>]>([
  ["is not checked yet", async () => ({ of: provider().serverlessEndpoint })],
  ["may have fewer", (before) => after(before, { workers: { max: unknownValue } })],
])("beside an endpoint of the stack that %s, it only warns", async (how, begin) => {
  const { of } = await begin(await had(how));
  const { warnings, failures } = await told(of, endpoint(`beside what ${how}`, 3));
  expect(failures).toBe("");
  expect(warnings).toContain("Either lower workers.max to at most 2, or lower that of another one");
});

test("an endpoint that somebody has given another name and more workers counts once, with those", async () => {
  const { id, inputs } = await had("theirs");
  emulator.service.endpoints.update(id, { name: "hand-made", workers: { max: 5 } });
  const { serverlessEndpoint: of } = provider();
  const news = { ...inputs, workers: { max: 4 } };
  const { result, said } = await heard(() => of.check(inputs, news));
  expect([result.failures, said]).toEqual([[], ""]);
});
