import type { Emulator } from "../../sdk/emulator/service";
import { emulate, send } from "./client";

const VOLUME = { name: "data", size: 50, dataCenter: "US-KS-2" };
const MATCH = { method: "POST", path: "/network-volumes" };

const volumes = (emulator: Emulator) => emulator.service.volumes.list().length;

describe("listeners", () => {
  test("are called on both sides of the effect, and the service waits for them", async () => {
    const { rest, emulator } = await emulate();
    const seen: string[] = [];
    const note = (when: string) => async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      seen.push(`${when}: ${volumes(emulator)}`);
    };
    emulator.on("after", MATCH, note("after"));
    const off = emulator.on("before", MATCH, note("before"));
    await rest("GET", "/network-volumes");
    await rest("POST", "/network-volumes", VOLUME);
    expect(seen).toEqual(["before: 0", "after: 1"]);
    off();
    off();
    await rest("POST", "/network-volumes", VOLUME);
    expect(seen).toEqual(["before: 0", "after: 1", "after: 2"]);
  });

  test("learn of no effect that a fault has prevented", async () => {
    const { rest, emulator } = await emulate();
    const seen: string[] = [];
    emulator.on("before", MATCH, ({ path }) => void seen.push(`before ${path}`));
    emulator.on("after", MATCH, ({ path }) => void seen.push(`after ${path}`));
    emulator.faults.add({ match: MATCH, when: "before", what: { status: 503 } });
    await rest("POST", "/network-volumes", VOLUME);
    expect(seen).toEqual(["before /v2/network-volumes"]);
  });

  test("hear nothing of a request that is turned away at the door", async () => {
    const { emulator } = await emulate();
    const seen: string[] = [];
    for (const when of ["before", "after"] as const) emulator.on(when, {}, () => void seen.push(when));
    expect((await send(`${emulator.apiUrl}/pods`, "GET", undefined, {})).status).toBe(401);
    expect(seen).toEqual([]);
  });

  test("can end the client, and the service acts all the same", async () => {
    const { emulator } = await emulate();
    const client = new AbortController();
    const acted = new Promise<void>((resolve) => emulator.on("after", MATCH, () => resolve()));
    emulator.on("before", MATCH, () => client.abort());
    const headers = { Authorization: "Bearer key", "Content-Type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(VOLUME), signal: client.signal };
    await expect(fetch(`${emulator.apiUrl}/network-volumes`, init)).rejects.toThrow("aborted");
    await acted;
    expect(volumes(emulator)).toBe(1);
  });
});
