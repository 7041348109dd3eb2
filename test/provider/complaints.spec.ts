import type { Prices } from "../../sdk/cost/basis";
import { basisOf } from "../../sdk/cost/basis";
import { estimate } from "../../sdk/cost/estimate";
import { emulator, inputs, provider } from "./process";

// What users of other tools complained of, where no other specification shows it.

/** Makes a pod or a template of the smallest program with these arguments. */
async function create(kind: "pod" | "template", args: object) {
  const __urn = `urn:pulumi:dev::project::pulumi-nodejs:dynamic/podlumi:${kind}::it`;
  return provider()[kind].create({ name: "it", image: "org/app:1", ...args, __urn, __providerId: "0b4c" });
}

const bodies = () => emulator.requests.filter(({ method }) => method === "POST").map(({ body }) => body);

test("a pod of CPUs is asked for with CPUs alone, and has no GPU", async () => {
  const { id, outs } = await create("pod", { cpu: { id: "cpu3c", vcpuCount: 4 } });
  expect(bodies()).toEqual([expect.not.objectContaining({ gpu: expect.anything() })]);
  expect(bodies()).toEqual([expect.objectContaining({ cpu: { id: "cpu3c", vcpuCount: 4 } })]);
  expect(emulator.service.pods.get(id)).not.toHaveProperty("gpu");
  expect(outs).toMatchObject({ cpu: { id: "cpu3c", vcpuCount: 4, memory: 8 } });
});

test("a pod of the Community cloud is created there, at the price that the estimate told", async () => {
  const args = { gpu: { id: "NVIDIA GeForce RTX 3070", count: 2 }, cloud: "COMMUNITY", disk: 10 };
  const gpus = (await (
    await fetch(`${emulator.apiUrl}/catalog/gpus`, { headers: { authorization: "Bearer key" } })
  ).json()) as Prices;
  const { outs } = await create("pod", args);
  expect(outs).toMatchObject({ cloud: "COMMUNITY" });
  const told = estimate("Pod", basisOf("Pod", args), { ...gpus, cpus: [] }).hourly?.atLeast ?? 0;
  const ofDisk = (10 * 0.1) / 730;
  expect(told - ofDisk).toBeCloseTo(Number(outs?.cost), 5);
  const secure = estimate("Pod", basisOf("Pod", { ...args, cloud: "SECURE" }), { ...gpus, cpus: [] });
  expect(secure.hourly?.atLeast ?? Number.POSITIVE_INFINITY).toBeGreaterThan(told);
});

test("where a data center has no room in the Community cloud, no other cloud is taken, and the error says what to leave out", async () => {
  emulator.service.capacity.set({ gpu: "NVIDIA GeForce RTX 3070", dataCenter: "EU-RO-1", free: 0 });
  const args = { gpu: { id: "NVIDIA GeForce RTX 3070" }, cloud: "COMMUNITY", dataCenterIds: ["EU-RO-1"] };
  await expect(create("pod", args)).rejects.toThrow(
    /leave out dataCenterIds, which can rule out the Community cloud, .*\[PODLUMI-NO-ROOM\]/s,
  );
  expect(emulator.service.pods.list()).toEqual([]);
});

test("a GPU that the catalog does not have is what the error says first, with what was meant, and no advice about room", async () => {
  jest.restoreAllMocks(); // The catalog has three seconds, which must not pass faster.
  const refused = create("pod", { gpu: { id: "RTX 4090" } });
  const error = await refused.catch((error: Error) => error.message);
  expect(error).toMatch(
    /^could not create pod "it": gpu\.id: the catalog has no "RTX 4090"; did you mean "NVIDIA GeForce RTX 4090".*\? POST \/pods answered 400 .* \[PODLUMI-NOT-IN-CATALOG\]$/,
  );
  expect(error).not.toMatch(/for want of room/);
});

test("a template without arguments of its container is created, and sends none", async () => {
  const { id } = await create("template", {});
  expect(bodies()).toEqual([expect.not.objectContaining({ args: expect.anything() })]);
  expect(emulator.service.templates.get(id)).toMatchObject({ args: "" });
});

test("a success without an object is none: it is looked for, and created once", async () => {
  const answer = { status: 201, body: { message: "created" } };
  emulator.faults.add({ match: { method: "POST", path: "/pods" }, when: "before", what: { answer } });
  const { id } = await create("pod", { gpu: inputs.pod.gpu });
  expect(emulator.service.pods.list()).toEqual([expect.objectContaining({ id })]);
});
