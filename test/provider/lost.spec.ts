import type { Properties } from "../../provider/core/value";
import { backend, begin, declared, emulator, heard, provider, stated, urnOf } from "./process";

// What a run is to change or to replace, and the account does not have: its key may be of another account.

const changes = [
  ["an update", { image: "org/pod:2" }],
  ["a replacement", { gpu: { id: "NVIDIA H200" } }],
] as const;

/** What the comparison of a pod says. */
async function said(id: string, outs: Properties, changed: object): Promise<string> {
  const { pod } = provider();
  const before = declared("pod", { name: outs.name });
  const news = { ...before, ...changed };
  await pod.check(before, news);
  return (await heard(() => pod.diff(id, outs, news))).said;
}

async function made(at = "2026-01-01T00:00:00.000Z") {
  const { id, outs } = await begin(provider().pod, "pod");
  return { id, outs: { ...outs, __made: at } };
}

test.each(changes)("%s of a pod warns where the account does not have it", async (_what, changed) => {
  const { id, outs } = await made();
  emulator.service.pods.delete(id);
  const told = await said(id, outs, changed);
  expect(told).toMatch(
    /the account does not have the pod "\S+" \(\w+\)\. .* the API key is of another account: .* \[PODLUMI-GONE\]/,
  );
  expect(told).not.toMatch("restarts the pod");
});

test.each(changes)(
  "%s of a pod says nothing of that where the account has it, or may not show it yet",
  async (_what, changed) => {
    const present = await made();
    expect(await said(present.id, present.outs, changed)).not.toMatch("PODLUMI-GONE");
    const recent = await made(new Date().toISOString());
    emulator.service.pods.delete(recent.id);
    expect(await said(recent.id, recent.outs, changed)).not.toMatch("PODLUMI-GONE");
  },
);

test("an update says nothing of a pod that its replacement has deleted already, also not that it restarts", async () => {
  backend.objects = [stated(urnOf("pod"), "gone", { isGone: true })];
  const { outs } = await made();
  expect(await said("gone", outs, { image: "org/pod:2", disk: 30 })).toBe("");
});
