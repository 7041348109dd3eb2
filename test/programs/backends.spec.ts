import * as podlumi from "podlumi";
import { type Emulator, startEmulator } from "../../sdk/emulator/service";
import { startPostgres } from "../backends/postgres";
import { startS3 } from "../backends/s3";
import type { Backend } from "../backends/server";
import { fast, patch } from "../harness/account";
import { type Run, RunFailure, TestStack } from "../harness/stack";

function program(size: number) {
  return () => {
    const data = new podlumi.NetworkVolume("data", { size, dataCenter: "EU-RO-1" });
    const auth = new podlumi.RegistryAuth("auth", { username: "robot", password: "hunter22" });
    new podlumi.Template("worker", { image: "org/worker:1", registry: auth.id });
    const network = [{ volumeId: data.id, path: "/workspace" }];
    new podlumi.Pod("pod", { image: "org/pod:1", gpu: { id: "NVIDIA L4" }, mounts: { network } });
  };
}

// They take a server of their own each, which the set-up fetches or builds.
describe.each([
  ["PostgreSQL", startPostgres],
  ["S3", startS3],
])("a stack whose state is in %s", (_title, start) => {
  let backend: Backend;
  let emulator: Emulator;
  let stack: TestStack;

  beforeAll(async () => {
    [backend, emulator] = await Promise.all([start(), startEmulator(fast)]);
    stack = await TestStack.create({ ...emulator.env, ...backend.env });
  });
  afterAll(async () => {
    await Promise.all([backend?.stop(), emulator?.close()]);
    stack?.remove();
  });

  const volume = () => emulator.service.volumes.list()[0];
  const ops = ({ steps }: Run) => Object.fromEntries(steps.map(({ name, op }) => [name, op]));
  const unchanged = { data: "same", auth: "same", worker: "same", pod: "same" };
  const changes = () => emulator.requests.filter(({ method }) => method !== "GET").length;

  test("lives as on one machine: up, drift, refresh, change", async () => {
    await stack.up(program(10));
    expect(ops(await stack.preview(program(10)))).toEqual(unchanged);
    await patch(emulator, `network-volumes/${volume()?.id}`, { name: "theirs" });
    const { results } = await stack.refresh();
    expect(results.filter(({ op }) => op !== "same")).toMatchObject([{ name: "data", differs: ["name"] }]);
    await stack.up(program(20));
    expect(volume()).toMatchObject({ name: expect.stringMatching(/^data-/), size: 20 });
  });

  test("of two runs at once, one wins; the other says that the stack is locked, and has changed nothing", async () => {
    let release = () => {};
    const reached = new Promise<void>((arrived) => {
      emulator.on("before", { method: "PATCH", path: "/network-volumes/*" }, () => {
        arrived();
        return new Promise((go) => {
          release = go;
        });
      });
    });
    const colleague = await stack.with({});
    const first = stack.up(program(30));
    await Promise.race([reached, first]);
    const before = changes();
    const second = await colleague.up(program(40)).catch((error: unknown) => error);
    expect(second).toBeInstanceOf(RunFailure);
    expect(String(second)).toMatch(/the stack is currently locked by 1 lock\(s\)/);
    expect(changes()).toBe(before);
    expect(ops(await colleague.preview(program(30)))).toMatchObject({ ...unchanged, data: "update" });
    release();
    await first;
    expect(volume()).toMatchObject({ size: 30 });
    expect(ops(await colleague.preview(program(30)))).toEqual(unchanged);
  });

  test("is emptied by destroy", async () => {
    await stack.destroy();
    expect(emulator.service.isEmpty()).toBe(true);
    expect(await stack.resources()).toEqual([]);
  });
});
