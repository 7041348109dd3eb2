import type { Properties } from "../../provider/core/value";
import { create, declared, emulator, provider } from "./process";

// What a replacement that the program causes would lose.

const persistent = { size: 20, path: "/data" };
const news = (more: Properties) => declared("pod", { name: "trainer", ...more });

/** A pod, what its state is after a refresh, and what the next run says of other arguments. */
async function made(args: Properties = {}) {
  const { id, outs = {} } = await create(provider().pod, "pod", args);
  /** Compares the arguments with a state, as the engine does. */
  const replaces = async (state: Properties, after: Properties) => {
    const { pod } = provider();
    await pod.check(news(args), news(after));
    return (await pod.diff(id, { ...state, __provider: "p" }, news(after))).replaces;
  };
  return { id, outs, replaces };
}

describe("storage that the program gives to a pod without any", () => {
  test("replaces the pod without a question: there is no data to lose", async () => {
    const { outs, replaces } = await made();
    expect(await replaces(outs, { mounts: { persistent } })).toEqual(["mounts"]);
    const { __asked, ...older } = outs;
    expect(await replaces(older, { mounts: { persistent } })).toEqual(["mounts"]);
  });

  test("needs the confirmation where a state tells less than the service, also while that does not answer", async () => {
    const { id, outs, replaces } = await made({ mounts: { persistent } });
    const odd = { ...outs, mounts: {} };
    const { __asked, ...older } = odd;
    const after = { mounts: { persistent }, gpu: { id: "NVIDIA A40" } };
    const says = /the data of mounts\.persistent would be lost with it/;
    for (const state of [odd, older]) await expect(replaces(state, after)).rejects.toThrow(says);
    for (const path of ["/pods", `/pods/${id}`])
      emulator.faults.add({ match: { path }, when: "before", what: { status: 403 }, times: 0 });
    await expect(replaces(older, after)).rejects.toThrow(says);
    emulator.faults.clear();
    emulator.service.pods.delete(id);
    expect(await replaces(older, after)).toContain("gpu");
  });
});
