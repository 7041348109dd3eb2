import { type Properties, unknownValue } from "../../provider/value";
import { create, declared, emulator, provider } from "./process";

// What a replacement that the program causes would lose, and how that is told.

const persistent = { size: 20, path: "/data" };
const news = (more: Properties) => declared("pod", { name: "trainer", ...more });

/** A pod, what its state is after a refresh, and what the next run says of other arguments. */
async function made(args: Properties = {}) {
  const { id, outs = {} } = await create("pod", args);
  /** Compares the arguments with a state, as the engine does. */
  const replaces = async (state: Properties, after: Properties) => {
    const { pod } = provider();
    await pod.check(news(args), news(after));
    return (await pod.diff(id, { ...state, __provider: "p" }, news(after))).replaces;
  };
  const refused = (after: Properties, state: Properties = outs): Promise<string> =>
    replaces(state, after).then(String, ({ message }) => message);
  return { id, outs, replaces, refused };
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
    const says = /the data of mounts\.persistent would be lost/;
    for (const state of [odd, older]) await expect(replaces(state, after)).rejects.toThrow(says);
    for (const path of ["/pods", `/pods/${id}`])
      emulator.faults.add({ match: { path }, when: "before", what: { status: 403 }, times: 0 });
    await expect(replaces(older, after)).rejects.toThrow(says);
    emulator.faults.clear();
    emulator.service.pods.delete(id);
    expect(await replaces(older, after)).toContain("gpu");
  });
});

test("storage of a pod grows in place, and is not reduced without the confirmation, whoever made it larger", async () => {
  const sized = (size: number) => ({ mounts: { persistent: { ...persistent, size } } });
  const { outs, replaces, refused } = await made(sized(20));
  expect(await replaces(outs, sized(30))).toEqual([]);
  expect(await refused(sized(10))).toContain(
    "mounts.persistent.size: the program changes it from 20 to 10, and the data of mounts.persistent would be lost. Write 20 to keep it, or",
  );
  expect(await refused(sized(20), { ...outs, ...sized(40) })).toContain(
    "mounts.persistent.size: the program still says 20, and by now it is 40, and the data of mounts.persistent would be lost. Write 40 to keep it, or run `pulumi up --replace` with its URN",
  );
});

describe("what replaces a pod with data is told by the deepest path that differs, with what keeps the pod", () => {
  const l4 = { id: "NVIDIA L4", count: 1 };

  test.each<[string, Properties, Properties, string]>([
    [
      "a key of an object, whatever the service adds to it",
      {},
      { gpu: { id: "NVIDIA L40" } },
      'gpu.id: the program changes it from "NVIDIA L4" to "NVIDIA L40", and the data of mounts.persistent would be lost. Write "NVIDIA L4" to keep it, or',
    ],
    [
      "a key that the program takes out",
      { gpu: { ...l4, count: 2 } },
      { gpu: { id: "NVIDIA L4" } },
      "gpu.count: the program takes it out, and the data of mounts.persistent would be lost. Write 2 to keep it, or",
    ],
    [
      "storage that the program takes out",
      {},
      { mounts: {} },
      'mounts.persistent: the program takes it out, and the data of mounts.persistent would be lost. Write {"size":20,"path":"/data"} to keep it, or',
    ],
    [
      "storage in place of other storage",
      {},
      { mounts: { network: [{ volumeId: "v", path: "/data" }] } },
      'mounts.persistent: the program takes it out; mounts.network: the program sets it to [{"volumeId":"v","path":"/data"}], and ' +
        'the data of mounts.persistent would be lost. Write {"size":20,"path":"/data"} for mounts.persistent and take mounts.network out to keep it, or',
    ],
    [
      "what can only be taken out",
      { templateId: "t", templateRevision: "1" },
      { templateId: "t", templateRevision: "2" },
      "templateRevision: the program changes it, and the data of mounts.persistent would be lost. Take it out of the program to keep it, or",
    ],
    [
      "what alone would not keep it",
      { templateId: "t", templateRevision: "1" },
      { templateId: unknownValue, templateRevision: "2" },
      "templateId: its value is not known yet; templateRevision: the program changes it, and the data of mounts.persistent would be lost. To",
    ],
  ])("%s", async (_what, before, after, says) => {
    const common = { mounts: { persistent } };
    const { outs, refused } = await made({ ...common, ...before, templateId: undefined });
    const state = { ...outs, ...before, __asked: { ...common, ...before } };
    expect(await refused({ ...common, ...before, ...after }, state)).toContain(says);
  });

  test("what the service shows as none is nothing to write, and neither is what the program leaves out", async () => {
    const { outs, refused } = await made({ mounts: { persistent } });
    const odd = { ...outs, mounts: {} };
    expect(await refused({ mounts: { persistent } }, odd)).toContain(
      'mounts.persistent: the program still says {"size":20,"path":"/data"}, and by now it is not set, and the data of mounts.persistent would be lost. Take it out to keep it, or',
    );
  });

  test("a pod stays without the revision of its template, as the text says", async () => {
    const { outs, replaces } = await made({ mounts: { persistent } });
    const state = { ...outs, templateId: "t", templateRevision: "1", __asked: { templateId: "t" } };
    expect(await replaces(state, { mounts: { persistent }, templateId: "t" })).toEqual([]);
  });
});
