import type { Properties } from "../../provider/value";
import { begin, declared, emulator, heard, provider } from "./process";

// What a run is to change, and the account does not have: its key may be of another account.

/** Compares a pod with a program that changes it. */
async function compared(id: string, outs: Properties, changed: object) {
  const { pod } = provider();
  const before = declared("pod", { name: outs.name });
  const news = { ...before, ...changed };
  await pod.check(before, news);
  return heard(() => pod.diff(id, outs, news));
}

const change = { image: "org/pod:2" };

async function made(created = "2026-01-01T00:00:00.000Z") {
  const { id, outs } = await begin("pod");
  return { id, outs: { ...outs, __at: { created } } };
}

test("a preview warns of an update of a pod that the account does not have", async () => {
  const { id, outs } = await made();
  emulator.service.pods.delete(id);
  expect((await compared(id, outs, change)).said).toMatch(
    /it is gone: somebody deleted it\. Run `pulumi refresh`.*\[PODLUMI-GONE\]/,
  );
});

test("with the key of another account, it fails with an error about the key", async () => {
  const { id, outs } = await made();
  emulator.service.pods.delete(id);
  emulator.service.userId = "user2";
  await expect(compared(id, outs, change)).rejects.toThrow(
    /the API key is of the account user2.*\[PODLUMI-OTHER-ACCOUNT\]/,
  );
});

test("an update of a pod says nothing of that where the account has it", async () => {
  const { id, outs } = await made();
  expect((await compared(id, outs, change)).said).not.toMatch("PODLUMI-GONE");
});

test("it waits for a pod that is too new to show", async () => {
  const { id, outs } = await made(new Date().toISOString());
  Object.assign(emulator.service.timings, { readLag: 200, listLag: 200 });
  expect((await compared(id, outs, change)).said).not.toMatch("PODLUMI-GONE");
});

test("a replacement needs nothing of a pod that is gone", async () => {
  const { id, outs } = await made();
  emulator.service.pods.delete(id);
  const { result } = await compared(id, outs, { gpu: { id: "NVIDIA H200" } });
  expect(result.replaces).toEqual(["gpu"]);
});
