import { declared, provider } from "./process";

// A dictionary of Python has a key without a value as null, where the program of another language has no such key.

test("an argument that is null is as one that is left out, also within an object", async () => {
  const gpu = { id: "NVIDIA L4", count: null, minCudaVersion: null };
  const mounts = { persistent: null, network: [{ volumeId: "v", path: "/data" }] };
  const given = declared("pod", { gpu, mounts, disk: null, cloud: null, adopt: null, dataCenterIds: null });
  const { inputs, failures } = await provider().pod.check(undefined, given);
  expect(failures?.map(({ property }) => property)).toEqual(["mounts.network[0].volumeId"]);
  expect(inputs).toMatchObject({
    gpu: { id: "NVIDIA L4" },
    mounts: { network: [{ volumeId: "v", path: "/data" }] },
  });
  expect(JSON.stringify(inputs)).not.toContain("null");
});

test("one that is required is missed, and a variable is not left out without a word", async () => {
  const volume = declared("networkVolume", { size: null });
  expect((await provider().networkVolume.check(undefined, volume)).failures).toEqual([
    { property: "size", reason: "is required [PODLUMI-INVALID]" },
  ]);
  const pod = declared("pod", { env: { TOKEN: null } });
  expect((await provider().pod.check(undefined, pod)).failures).toEqual([
    { property: "env.TOKEN", reason: "must be a string, not null [PODLUMI-INVALID]" },
  ]);
});

test("a job to verify with keeps its own", async () => {
  const verify = { input: { seed: null }, expect: { error: null } };
  const { inputs, failures } = await provider().serverlessEndpoint.check(
    undefined,
    declared("serverlessEndpoint", { verify }),
  );
  expect(failures).toEqual([]);
  expect(inputs).toMatchObject({ verify });
});
