import { type OfflineEmulator, offlineEmulator, type What } from "../../sdk/emulator/service";
import { until } from "./client";

// Faults of an emulator without a port, as podlumi/testing has it.

let emulator: OfflineEmulator;
beforeEach(async () => {
  emulator = await offlineEmulator();
});
afterEach(() => emulator.close());

const volumes = () => emulator.service.volumes.list().length;

/** Creates a volume by a request that meets this fault. */
function create(when: "before" | "after", what: What) {
  emulator.faults.add({ match: { method: "POST" }, when, what });
  const headers = { authorization: "Bearer key", "content-type": "application/json" };
  const body = JSON.stringify({ name: "data", size: 50, dataCenter: "US-KS-2" });
  return emulator.answer({ method: "POST", path: "/v2/network-volumes", headers, body });
}

const cut = { code: "ECONNRESET" };

test.each([
  ["before", 0],
  ["after", 1],
] as const)("a connection that is cut %s the service acts has no answer", async (when, made) => {
  await expect(create(when, { reset: true })).rejects.toMatchObject(cut);
  expect(volumes()).toBe(made);
});

test("a response can end in the middle", async () => {
  await expect(create("after", { truncated: true })).rejects.toMatchObject(cut);
});

test("an effect comes later than its error", async () => {
  expect(await create("before", { later: 10 })).toMatchObject({ status: 504 });
  expect(volumes()).toBe(0);
  await until(() => volumes() === 1);
});

test("a request without an answer ends when the emulator closes", async () => {
  const waiting = create("before", { hang: true });
  await until(() => emulator.faults.injected.length === 1);
  await emulator.close();
  await expect(waiting).rejects.toMatchObject(cut);
});
