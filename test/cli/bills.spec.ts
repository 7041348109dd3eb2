import { type Emulator, ManualClock } from "../../sdk/emulator/service";
import { CommandLine } from "./cli";

const cli = new CommandLine();
const clock = new ManualClock(Date.parse("2026-06-01T12:00:00Z"));
const range = ["--since", "2026-06-01", "--until", "2026-06-03"];
let emulator: Emulator;
let trainer: string;
let gone: string;
beforeAll(async () => {
  emulator = await cli.emulate({ clock });
  const { pods, volumes } = emulator.service;
  const gpu = { id: "NVIDIA L4", count: 1 };
  trainer = pods.create({ name: "trainer", image: "i", gpu, disk: 10 }).id;
  gone = pods.create({ name: "gone", image: "i", cpu: { id: "cpu3c", vcpuCount: 2 } }).id;
  volumes.create({ name: "data", size: 100, dataCenter: "EU-RO-1", type: "STANDARD" });
  clock.advance(10 * 3_600_000);
  pods.delete(gone);
  clock.advance(10 * 3_600_000);
});
afterAll(() => cli.close());

const bills = (...args: string[]) => cli.run("bills", ...args);

test("the account is billed by kind, the dearest first, with a column for each thing that cost something", async () => {
  expect((await bills(...range)).out).toBe(
    [
      "KIND              GPU     CPU    DISK  STANDARD   TOTAL",
      "Pod            4.8000  0.4000  0.0400            5.2400",
      "NetworkVolume                            0.2000  0.2000",
      "total          4.8000  0.4000  0.0400    0.2000  5.4400",
      "",
      "USD, from 2026-06-01 00:00 to 2026-06-03 00:00 UTC",
      "",
    ].join("\n"),
  );
});

test("a kind is billed by object, also one that is gone, and without a name where the key may not list", async () => {
  const line = (id: string, name: string, rest: string) => new RegExp(`^${id} +${name} +${rest}$`, "m");
  const { out } = await bills("pods", ...range);
  expect(out).toMatch(line(trainer, "trainer", "4.8000  0.0000  0.0200  4.8200"));
  expect(out).toMatch(line(gone, "", "0.0000  0.4000  0.0200  0.4200"));
  expect(out).toMatch(/^total +4.8000 {2}0.4000 {2}0.0400 {2}5.2400$/m);
  const refused = { match: { path: "/pods" }, when: "before", what: { status: 403 }, times: 1 } as const;
  emulator.faults.add(refused);
  const { code, out: nameless, err } = await bills("pods", ...range);
  expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/^podlumi: the names are missing/) });
  expect(nameless).toMatch(line(trainer, "", "4.8000  0.0000  0.0200  4.8200"));
});

test("an object is billed by its id or its name, and by hours or days", async () => {
  const { out } = await bills("pods", "trainer", ...range, "--by", "day");
  expect(out).toMatch(/^TIME +ID +NAME +GPU +DISK +TOTAL\n2026-06-01 .*2.8920\n2026-06-02 .*1.9280\ntotal /);
  expect(JSON.parse((await bills("Pod", gone, ...range, "--json")).out)).toEqual({
    startTime: "2026-06-01T00:00:00Z",
    endTime: "2026-06-03T00:00:00Z",
    total: expect.closeTo(0.42),
    bills: [
      {
        startTime: "2026-06-01T00:00:00Z",
        endTime: "2026-06-03T00:00:00Z",
        kind: "Pod",
        id: gone,
        name: null,
        total: expect.closeTo(0.42),
        parts: { gpu: 0, cpu: expect.closeTo(0.4), disk: expect.closeTo(0.02) },
      },
    ],
  });
  const bucketOf = async (since: string) => {
    await bills("--since", since);
    return emulator.requests.at(-1)?.path;
  };
  expect(await bucketOf("2d")).toContain("bucketSize=hour");
  expect(await bucketOf("3d")).toContain("bucketSize=day");
  const short = await bills("--since", "2026-06-01T13:30:00Z", "--until", "2026-06-01T14:00:00Z");
  expect(short.out).toContain("USD, from 2026-06-01 13:00 to 2026-06-01 14:00 UTC");
});

test("what has no bill is an error where nothing is called so, and none where it is", async () => {
  const earlier = ["--until", "2026-01-01"];
  expect(await bills("pods", "trainer", ...earlier)).toEqual({
    code: 0,
    out: "nothing was billed from 2025-12-02 00:00 to 2026-01-01 00:00 UTC\n",
    err: "",
  });
  const missing = await bills("pods", "trainr", ...range);
  expect(missing).toMatchObject({ code: 1, out: "", err: expect.stringContaining('did you mean "trainer"') });
  const { pods } = emulator.service;
  const gpu = { id: "NVIDIA L4", count: 1 };
  const twins = [0, 1].map(() => pods.create({ name: "twin", image: "i", gpu }).id);
  expect((await bills("pods", "twin", ...range)).err).toContain(
    `2 pods are called "twin", ${twins.join(", ")}: give an id`,
  );
});

test("a total counts what is too little for a line", async () => {
  const time = (hour: number) => new Date(Date.UTC(2026, 5, 1, hour)).toISOString();
  const records = Array.from({ length: 24 }, (_record, hour) => ({
    ...{ startTime: time(hour), endTime: time(hour + 1), totalAmount: 0.00003, endpointAmount: 0.00003 },
  }));
  const body = { records, metadata: { query: { startTime: time(0), endTime: time(24) } } };
  const what = { answer: { status: 200, body } };
  emulator.faults.add({ match: { path: "/billing" }, when: "before", what, times: 2 });
  expect(JSON.parse((await bills("--by", "hour", "--json")).out)).toMatchObject({
    total: expect.closeTo(0.00072),
    bills: [],
  });
  expect((await bills("--by", "hour")).out).toMatch(/^USD 0.0007, .*, in parts below 0.00005\n$/);
});

test.each([
  [3, /\nother +1.5000\nPod +1.0000 +1.0000\nPublicEndpoint +0.5000\ntotal +1.0000 +3.0000\n/],
  // Less than its parts, as after a credit.
  [1, /\nPod +1.0000 +1.0000\nPublicEndpoint +0.5000\nother +-0.5000\ntotal +1.0000 +1.0000\n/],
])(
  "the rest of a total of %d, of which the service does not tell what it is for, has a line",
  async (totalAmount, lines) => {
    const [startTime, endTime] = ["2026-06-01T00:00:00Z", "2126-06-01T00:00:00Z"];
    const record = { startTime, endTime, totalAmount, podGpuAmount: 1, endpointAmount: 0.5 };
    const body = { records: [record], metadata: { query: { startTime, endTime } } };
    const what = { answer: { status: 200, body } };
    emulator.faults.add({ match: { path: "/billing" }, when: "before", what, times: 1 });
    const { out } = await bills();
    expect(out).toMatch(lines);
    expect(out).toMatch(/\n\nUSD, since 2026-06-01 00:00 UTC\n$/);
  },
);
