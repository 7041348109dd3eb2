import { GPU, NO_CAPACITY } from "./client";
import { startGraphql } from "./graphql-client";

const DEPLOY = `mutation ($input: PodFindAndDeployOnDemandInput) {
  podFindAndDeployOnDemand(input: $input) { id imageName env machineId machine { podHostId } desiredStatus }
}`;
const POD = {
  cloudType: "ALL",
  gpuCount: 1,
  gpuTypeId: GPU.id,
  volumeInGb: 40,
  containerDiskInGb: 40,
  minVcpuCount: 2,
  minMemoryInGb: 15,
  name: "p",
  imageName: "app:1",
  containerArgs: "",
  ports: "8888/http,22/tcp",
  volumeMountPath: "/workspace",
  env: [{ key: "A", value: "1" }],
};
describe("pods by GraphQL", () => {
  test("say RUNNING at once, and show a runtime once they run", async () => {
    const { run, clock, emulator } = await startGraphql();
    const { body } = await run(DEPLOY, { input: POD });
    const pod = body.data?.podFindAndDeployOnDemand;
    expect(pod).toMatchObject({ imageName: "app:1", env: ["A=1"], desiredStatus: "RUNNING" });
    const query = `{ pod(input: { podId: "${pod?.id}" }) {
      desiredStatus runtime { uptimeInSeconds ports { privatePort isIpPublic type } gpus { id } container { cpuPercent } }
    } }`;
    expect((await run(query)).body.data?.pod).toEqual({ desiredStatus: "RUNNING", runtime: null });
    clock.advance(4_000);
    expect((await run(query)).body.data?.pod?.runtime).toMatchObject({
      uptimeInSeconds: 1,
      ports: [
        { privatePort: 8888, isIpPublic: false, type: "http" },
        { privatePort: 22, isIpPublic: true, type: "tcp" },
      ],
    });
    expect(emulator.service.pods.list()).toMatchObject([
      { status: "RUNNING", disk: 40, mounts: { persistent: { size: 40, path: "/workspace" } } },
    ]);
  });

  test("stop and resume", async () => {
    const { run, emulator, clock } = await startGraphql();
    const { id: podId } = emulator.service.pods.create({ name: "p", image: "i", gpu: GPU });
    clock.advance(3_000);
    const stop = "mutation ($input: PodStopInput!) { podStop(input: $input) { id desiredStatus } }";
    expect((await run(stop, { input: { podId } })).body.data?.podStop).toEqual({
      id: podId,
      desiredStatus: "EXITED",
    });
    const resume =
      "mutation ($input: PodResumeInput!) { podResume(input: $input) { desiredStatus imageName } }";
    const input = { podId, gpuCount: 1 };
    expect((await run(resume, { input })).body.data?.podResume).toEqual({
      desiredStatus: "RUNNING",
      imageName: "i",
    });
    await run(stop, { input: { podId } });
    emulator.service.capacity.set({ gpu: GPU.id, free: 0 });
    const { status, body } = await run(resume, { input });
    expect(status).toBe(200);
    expect(body.data).toEqual({ podResume: null });
    expect(body.errors).toMatchObject([
      {
        path: ["podResume"],
        extensions: { code: "RUNPOD" },
        message: expect.stringContaining("host machine"),
      },
    ]);
  });

  test("are null without an error when they do not exist", async () => {
    const { run } = await startGraphql();
    expect(await run('{ pod(input: { podId: "missing" }) { id } }')).toMatchObject({
      status: 200,
      body: { data: { pod: null } },
    });
    const { body } = await run('mutation { podTerminate(input: { podId: "missing" }) }');
    expect(body.errors).toMatchObject([
      { message: "pod not found to terminate", extensions: { code: "RUNPOD" } },
    ]);
  });

  test("fall back to the next GPU type and cloud that has room", async () => {
    const { run, emulator } = await startGraphql();
    emulator.service.capacity.set({ gpu: "NVIDIA A40", free: 0 });
    const types = { gpuTypeIdList: ["NVIDIA A40", "Tesla V100-SXM2-16GB"] };
    await run(DEPLOY, { input: { ...POD, ...types } });
    expect(emulator.service.pods.list()).toMatchObject([
      { gpu: { id: "Tesla V100-SXM2-16GB" }, cloud: "COMMUNITY" },
    ]);
    const { body } = await run(DEPLOY, { input: { ...POD, gpuTypeId: "NVIDIA A40" } });
    expect(body.errors?.[0]?.message).toMatch(NO_CAPACITY);
  });

  test("keep the link to their template", async () => {
    const { run, emulator } = await startGraphql();
    const { id: templateId } = emulator.service.templates.create({ name: "t", image: "base" });
    await run(DEPLOY, { input: { ...POD, imageName: undefined, templateId } });
    expect(emulator.service.pods.list()).toMatchObject([{ template: templateId, image: "base" }]);
  });
});
