import { Api } from "../../provider/client/api";
import type { Clock } from "../../provider/client/clock";
import { limits } from "../../provider/client/transport";
import { Run } from "../../provider/core/call/run";
import { handler } from "../../provider/core/handler";
import { describe as inWords } from "../../provider/core/telling";
import { networkVolume } from "../../provider/resources/network-volume";
import { secretStore } from "../../provider/resources/secret/store";
import { workersOfEach } from "../../provider/resources/serverless-endpoint/quota";
import { sshKeys } from "../../provider/resources/ssh-keys";
import { type Emulator, startEmulator } from "../../sdk/emulator/service";
import type { Fault } from "../../sdk/emulator/service/faults/fault";

/** Nobody can read the state of the stack. */
const noState = async () => undefined;

let emulator: Emulator;
let api: Api;

/** A clock whose pauses end at once. */
const clock: Clock = { now: Date.now, sleep: async () => undefined, random: () => 0 };

beforeEach(async () => {
  emulator = await startEmulator();
  const { apiUrl, graphqlUrl, queueUrl } = emulator;
  api = new Api({ apiKey: "key", apiUrl, graphqlUrl, queueUrl }, clock);
});
afterEach(() => emulator.close());

const spoil = (what: Fault["what"], path = "/network-volumes/*") =>
  emulator.faults.add({ match: { path }, when: "after", what, times: Number.POSITIVE_INFINITY } as Fault);

test.each<[string, Fault["what"]]>([
  ["larger than any real one", { oversized: 2 * limits.response }],
  ["packed to become large", { gzipBomb: 2 * limits.response }],
])(
  "a response that is %s ends in an error, not in memory",
  async (_title, what) => {
    const { id } = emulator.service.volumes.create({ name: "data", size: 10, dataCenter: "EU-RO-1" });
    spoil(what);
    const before = process.memoryUsage().rss;
    await expect(api.impatient().rest.get(`/network-volumes/${id}`)).rejects.toThrow(
      /^GET \/network-volumes\/\w+ (got no answer|answered)/,
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(4 * limits.response);
  },
  120_000,
);

test("a response that is nested without end does not end the process", async () => {
  const { id } = emulator.service.volumes.create({ name: "data", size: 10, dataCenter: "EU-RO-1" });
  spoil({ nested: 200_000 }, "/network-volumes");
  const { read } = handler(networkVolume, new Run({ ...emulator.env }, noState));
  const props = { name: "data", size: 10, dataCenter: "EU-RO-1", __declared: { name: true, size: true } };
  await expect(read?.(id, props)).rejects.toThrow(
    /could not read network volume "data" .* nested deeper than 64 levels/,
  );
});

test.each(["after", "before"] as const)(
  "a deletion with a response that cannot be read is done if the object is gone: fault %s it",
  async (when) => {
    const { id } = emulator.service.volumes.create({ name: "data", size: 10, dataCenter: "EU-RO-1" });
    const match = { method: "DELETE", path: "/network-volumes/*" };
    emulator.faults.add({ match, when, what: { malformed: true } });
    const deletion = api.networkVolumes.delete(id);
    if (when === "after") await deletion;
    else await expect(deletion).rejects.toThrow(/^DELETE \S+ answered 200 with a body that cannot be read/);
    expect(emulator.service.volumes.list()).toHaveLength(when === "after" ? 0 : 1);
  },
);

test("a change with a response that is not the object is proven by a read, and not by what an earlier one wrote", async () => {
  const { templates } = emulator.service;
  const { id } = templates.create({ name: "worker", image: "org/worker:1" });
  await api.templates.update(id, { startSsh: false });
  // A save of the readme resets it.
  templates.update(id, { startSsh: true });
  const what = { answer: { status: 200, body: { message: "ok" } } };
  emulator.faults.add({ match: { method: "PATCH" }, when: "before", what });
  await expect(api.templates.update(id, { startSsh: false })).rejects.toThrow(/it is not the object/);
  emulator.faults.add({ match: { method: "PATCH" }, when: "after", what });
  await expect(api.templates.update(id, { startSsh: false })).resolves.toMatchObject({ startSsh: false });
});

test.each<[string, object | null]>([
  ["{}", {}],
  ["a gateway's word", { message: "ok" }],
  ["a list", []],
  ["null", null],
  ["another object", { id: "someoneelse", name: "data", size: 10, dataCenter: "EU-RO-1" }],
])("a look that is answered with %s is no look: the state stays", async (_title, body) => {
  const { id } = emulator.service.volumes.create({ name: "data", size: 10, dataCenter: "EU-RO-1" });
  spoil({ answer: { status: 200, body } } as Fault["what"]);
  await expect(api.networkVolumes.find(id)).rejects.toThrow(
    /with a body that cannot be read: it is not the object/,
  );
});

test.each([[{}], [{ message: "ok" }], [null]])(
  "SSH keys that are returned as %j are no list",
  async (body) => {
    spoil({ answer: { status: 200, body } } as Fault["what"], "/account/ssh-keys");
    const { read, update } = handler(sshKeys, new Run({ ...emulator.env }, noState));
    const says = /answered 200 with a body that cannot be read: it has no list of keys/;
    await expect(read?.("ssh-keys", { keys: [], __declared: { keys: true } })).rejects.toThrow(says);
    await expect(update?.("ssh-keys", { keys: ["ssh-ed25519 A"] }, { keys: [] })).rejects.toThrow(says);
  },
);

test.each([[{}], [{ message: "ok" }], [{ data: null }], [{ data: {} }], [{ data: { myself: null } }]])(
  "GraphQL that answers %j has done nothing and tells nothing",
  async (body) => {
    const { id } = emulator.service.secrets.create({ name: "token", value: "hunter22" });
    const always = { when: "before", times: Number.POSITIVE_INFINITY } as const;
    emulator.faults.add({
      ...always,
      match: { interface: "graphql" },
      what: { answer: { status: 200, body } },
    });
    emulator.faults.add({ ...always, match: { path: "/account/secrets" }, what: { status: 404 } });
    const secrets = await secretStore(api);
    const says = /with a body that cannot be read/;
    await expect(secrets.read(id, {})).rejects.toThrow(says);
    await expect(secrets.delete(id)).rejects.toThrow(says);
    await expect(secrets.create({ name: "other", value: "hunter22" })).rejects.toThrow(says);
  },
);

test.each([null, ""])(
  "a page before the last one without a cursor, %j, is no whole list",
  async (nextCursor) => {
    const body = { networkVolumes: [{ id: "a" }], pagination: { nextCursor, hasNextPage: true } };
    spoil({ answer: { status: 200, body } } as Fault["what"], "/network-volumes");
    await expect(api.networkVolumes.list()).rejects.toThrow(/it has a next page, and no cursor for it/);
  },
);

test("pages that repeat under cursors that do not end in an error", async () => {
  let page = 0;
  emulator.on("before", { path: "/network-volumes" }, () => {
    emulator.faults.clear();
    const networkVolumes = [{ id: "a" }];
    const body = { networkVolumes, pagination: { nextCursor: `next-${page++}` } };
    spoil({ answer: { status: 200, body } } as Fault["what"], "/network-volumes");
  });
  await expect(api.networkVolumes.list()).rejects.toThrow(/its pages go round in circles/);
  expect(page).toBeLessThan(5);
});

test("ids are escaped, so that none reaches another address", async () => {
  await expect(api.networkVolumes.delete("x")).resolves.toBe(false);
  const { delete: remove } = handler(networkVolume, new Run({ ...emulator.env }, noState));
  await remove?.("../pods/../../account/secrets?x=1", {});
  expect(emulator.requests.map(({ path }) => path)).toContain(
    "/v2/network-volumes/..%2Fpods%2F..%2F..%2Faccount%2Fsecrets%3Fx%3D1",
  );
});

test("a deletion asks for a refresh if nobody can tell whether the object is gone", async () => {
  const { create, delete: remove } = handler(networkVolume, new Run({ ...emulator.env }, noState));
  const inputs = { name: "data", size: 10, dataCenter: "EU-RO-1", __urn: "urn:d" };
  const { id, outs } = await create(inputs);
  emulator.faults.add({
    match: { path: "/network-volumes/*" },
    when: "after",
    what: { malformed: true },
    times: 0,
  });
  await expect(remove(id, outs ?? {})).rejects.toThrow(/It may be gone by now: run `pulumi refresh` before/);
  emulator.faults.clear();
  const volume = emulator.service.volumes.create({ name: "data", size: 10, dataCenter: "EU-RO-1" });
  emulator.faults.add({ match: { path: "/network-volumes/*" }, when: "before", what: { inUse: true } });
  await expect(remove(volume.id, { ...outs, deleteTimeout: 0 })).rejects.not.toThrow(/may be gone/);
});

test("a name of others stands in one line of a message, without control characters", () => {
  const object = { id: "7h9k2m4n6p", name: "web\u001b[2K\r\nerror: all is lost" };
  expect(inWords({ noun: "pod" }, object)).toBe(
    String.raw`pod "web\u{1b}[2K\u{d}\u{a}error: all is lost" (7h9k2m4n6p)`,
  );
  expect(workersOfEach([{ ...object, workers: { max: 2 } }])).toBe(
    String.raw`web\u{1b}[2K\u{d}\u{a}error: all is lost (7h9k2m4n6p) 2`,
  );
});
