import { createServer, type Server, type Socket } from "node:net";
import { systemClock } from "../../provider/client/clock";
import { NoAnswerError } from "../../provider/client/errors";
import { Hearing } from "../../provider/client/hearing";
import type { Request } from "../../provider/client/transport";
import { testLong } from "../harness/long";
import { declared, kinds, provider } from "./process";

// A run that would change something needs answers. One that changes nothing needs none.

/** A service that takes connections, and answers nothing. */
let silent: Server;
const sockets: Socket[] = [];
let addresses: Record<string, string>;

beforeAll(async () => {
  silent = createServer((socket) => void sockets.push(socket));
  await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
  const { port } = silent.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  addresses = { RUNPOD_API_URL: `${url}/v2`, RUNPOD_GRAPHQL_URL: `${url}/graphql`, RUNPOD_QUEUE_URL: url };
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  silent.close();
});

const refused = {
  RUNPOD_API_URL: "http://127.0.0.1:9/v2",
  RUNPOD_GRAPHQL_URL: "http://127.0.0.1:9/graphql",
  RUNPOD_QUEUE_URL: "http://127.0.0.1:9",
};

const noAnswer = [{ property: "", reason: expect.stringMatching(/ got no answer .*\[PODLUMI-NO-ANSWER\]$/) }];

test.each(kinds)("a new %s fails in the check, and each later one at once", async (kind) => {
  const { [kind]: of } = provider(refused);
  for (const _time of [1, 2])
    expect(await of.check(undefined, declared(kind))).toMatchObject({ failures: noAnswer });
});

testLong("so it does within 10 s where connections stay open", async () => {
  const { pod } = provider(addresses);
  const began = performance.now();
  expect(await pod.check(undefined, declared("pod"))).toMatchObject({ failures: noAnswer });
  expect(performance.now() - began).toBeLessThan(12_000);
});

test.each(kinds)("a changed %s fails, and one that stays as it is does not, nor asks", async (kind) => {
  const made = provider()[kind];
  const { inputs } = await made.check(undefined, declared(kind));
  const { id, outs = {} } = await made.create(inputs);
  const { run, [kind]: of } = provider(refused);
  expect(await of.check(inputs, declared(kind))).toMatchObject({ failures: [] });
  expect(await of.diff(id, { ...outs, __provider: "p" }, inputs)).toMatchObject({ changes: false });
  expect(run.hearing.isSilent).toBe(false);
  const edit = kind === "pod" ? { image: "org/app:9" } : { name: "other" };
  expect(await of.check(inputs, declared(kind, edit))).toMatchObject({ failures: noAnswer });
});

test("what only the state tells to change fails in the comparison", async () => {
  const { inputs } = await provider().pod.check(undefined, declared("pod"));
  const { id, outs = {} } = await provider().pod.create(inputs);
  const { pod } = provider(refused);
  await pod.check(inputs, inputs);
  await expect(pod.diff(id, { ...outs, image: "org/drift:1" }, inputs)).rejects.toThrow(
    "[PODLUMI-NO-ANSWER]",
  );
});

test("a later answer is enough: an outage may be over", async () => {
  const request = { call: "GET /pods", method: "GET", url: new URL("http://127.0.0.1:9/v2/pods") } as Request;
  let isDown = true;
  const hearing: Hearing = new Hearing(systemClock, async () => {
    isDown = false;
    await send();
  });
  const answer = async () => {
    if (isDown) throw new NoAnswerError(request.call, request.url.origin, false, "ECONNREFUSED");
    return { status: 200, headers: {}, body: "" };
  };
  const send = () => hearing.hear(request, answer());
  const look = () => send().catch(() => "nothing");
  expect(await hearing.unlessSilent(look)).toBe("nothing");
  expect(hearing.isSilent).toBe(false);
});
