import { GlobalVolume, NetworkVolume, ServerlessEndpoint } from "podlumi";
import { emulatedStack, emulator, stack } from "../harness/emulated";
import { describeLong } from "../harness/long";
import { type Run, type RunFailure, withPlugin } from "../harness/stack";
import { attached, labelDrift, labelEdits, labels } from "./labels";
import { type LifeCycle, lifeCycle } from "./life-cycle";

const networkVolume: LifeCycle = {
  kind: "network volume",
  collection: "network-volumes",
  resource: NetworkVolume,
  base: { size: 20, dataCenter: "EU-RO-1", deleteTimeout: 60 },
  full: {
    args: { ...labels, name: "models", size: 50, type: "STANDARD" },
    holds: { ...attached, name: "models", size: 50, dataCenter: "EU-RO-1", type: "STANDARD" },
  },
  edits: [
    ...labelEdits,
    {
      title: "another name",
      to: { name: "renamed" },
      op: "update",
      shows: ["name"],
      holds: { name: "renamed" },
    },
    { title: "more space", to: { size: 40 }, op: "update", shows: ["size"], holds: { size: 40 } },
    { title: "less space", from: { size: 40 }, to: {}, op: "replace", shows: ["size"], holds: { size: 20 } },
    {
      title: "another data center",
      to: { dataCenter: "US-KS-2" },
      op: "replace",
      shows: ["dataCenter"],
      holds: { dataCenter: "US-KS-2" },
    },
    {
      title: "another tier",
      from: { type: "STANDARD" },
      to: { type: "HIGH_PERFORMANCE" },
      op: "replace",
      shows: ["type"],
      holds: { type: "HIGH_PERFORMANCE" },
    },
    { title: "the tier left to the data center", from: { type: "STANDARD" }, to: {}, op: "same" },
  ],
  drifts: [
    {
      title: "a name",
      behind: { name: "theirs" },
      shows: ["name"],
      holds: { name: expect.stringMatching(/^r0-/) },
    },
    labelDrift,
  ],
};

const globalVolume: LifeCycle = {
  kind: "global volume",
  collection: "global-volumes",
  resource: GlobalVolume,
  base: { deleteTimeout: 60 },
  look({ service }, id) {
    const found = service.globalVolumes.list().find((volume) => volume.id === id);
    return found && { ...found };
  },
  full: { args: { name: "models" }, holds: { name: "models" } },
  edits: [
    {
      title: "another name",
      to: { name: "renamed" },
      op: "update",
      shows: ["name"],
      holds: { name: "renamed" },
    },
  ],
  drifts: [
    {
      title: "a name",
      behind: { name: "theirs" },
      shows: ["name"],
      holds: { name: expect.stringMatching(/^r0-/) },
    },
  ],
};

lifeCycle(networkVolume, globalVolume);

describeLong("an endpoint", () => {
  emulatedStack("all", { env: withPlugin });
  const llm = {
    type: "QUEUE",
    image: "org/worker:1",
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
  } as const;
  const gpu = { pools: ["ADA_24"] };
  const program = (kind: "global" | "network" | "none") => () => {
    const everywhere = new GlobalVolume("models", {});
    const here = new NetworkVolume("data", { size: 10, dataCenter: "EU-RO-1" });
    const volumes = {
      global: { globalVolumes: [everywhere] },
      network: { networkVolumes: [here.id] },
      none: {},
    }[kind];
    new ServerlessEndpoint("llm", { ...llm, gpu, ...volumes });
  };
  const held = () => {
    const [{ networkVolumes, globalVolumes = [] } = { networkVolumes: [] }] =
      emulator.service.endpoints.list();
    return { network: networkVolumes.length, global: globalVolumes.length };
  };
  const bodies = () =>
    emulator.requests
      .filter(({ method, path }) => method !== "GET" && path.startsWith("/v2/serverless"))
      .map(({ body }) => body);

  test("has network volumes or a global one, and changes from one to the other in place", async () => {
    await stack.up(program("network"));
    expect(bodies()).toEqual([expect.not.objectContaining({ globalVolumes: expect.anything() })]);
    await stack.up(program("global"));
    expect(held()).toEqual({ network: 0, global: 1 });
    expect((await stack.preview(program("global"))).steps.every(({ op }) => op === "same")).toBe(true);
    await stack.up(program("network"));
    expect(held()).toEqual({ network: 1, global: 0 });
    await stack.up(program("none"));
    expect(held()).toEqual({ network: 0, global: 0 });
  });

  test("with both kinds, with two, or without GPUs is refused in the preview", async () => {
    const printed = (command: Promise<Run>) =>
      command.then(
        () => "it did not fail",
        (error: RunFailure) => error.printed,
      );
    const wrong = (more: object) => () => void new ServerlessEndpoint("llm", { ...llm, gpu, ...more });
    expect(await printed(stack.preview(wrong({ globalVolumes: ["a"], networkVolumes: ["b"] })))).toContain(
      "give networkVolumes or globalVolumes, not both [PODLUMI-INVALID]",
    );
    const onCpus = { gpu: undefined, cpu: [{ id: "cpu3c", vcpuCount: 2 }], globalVolumes: ["a"] };
    expect(await printed(stack.preview(wrong(onCpus)))).toContain("is for GPU endpoints only");
  });
});
