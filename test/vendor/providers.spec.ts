import { delimiter, dirname, resolve } from "node:path";
import { emulatedProject, emulator, project } from "../harness/emulated";
import { openTunnel, type Tunnel } from "./tunnel";

// The vendor's Pulumi providers, as they are, against the emulator. To run them, build them and name the executables,
// each `pulumi-resource-runpod`: of runpod/pulumi-runpod-native in PODLUMI_VENDOR_NATIVE, of runpod/pulumi-runpod in
// PODLUMI_VENDOR_PROVIDER.

/** Describes a provider if its executable is named. */
function describeProvider(variable: string, body: (path: string) => void): void {
  const path = process.env[variable];
  if (path !== undefined) {
    describe(`the provider of ${variable}`, () => body(resolve(path)));
    return;
  }
  process.stderr.write(`skipped: a provider of the vendor's, because ${variable} names none\n`);
  describe.skip(variable, () => test("is not there", () => undefined));
}

const head = `const pulumi = require("@pulumi/pulumi");
class Resource extends pulumi.CustomResource {
  constructor(type, args, output) {
    super("runpod:index:" + type, type, output ? { ...args, [output]: undefined } : args);
  }
}
`;

async function run(environment: Record<string, string>, ...args: string[]): Promise<string> {
  const { ok, printed } = await project.run("pulumi", [...args, "--non-interactive"], environment);
  if (!ok) throw new Error(`pulumi ${args.join(" ")}\n${printed}`);
  return printed;
}

const account = () => emulator.service.snapshot();

describeProvider("PODLUMI_VENDOR_NATIVE", (path) => {
  emulatedProject("all", "dev", {
    features: { templateArgs: "dockerArgs" },
    timings: { templateRelease: 0 },
  });
  let tunnel: Tunnel;
  const pulumi = (...args: string[]) =>
    run({ ...tunnel.env, PATH: [dirname(path), process.env.PATH].join(delimiter) }, ...args);
  // Its address of the service is fixed.
  beforeAll(async () => {
    tunnel = await openTunnel(new URL("/", emulator.graphqlUrl).href);
    await pulumi("config", "set", "runpod:token", emulator.env.RUNPOD_API_KEY);
  });
  afterAll(() => tunnel.close());

  const program = (size: number, image: string, workers: number) => `${head}
const volume = new Resource("NetworkStorage", { name: "data", size: ${size}, dataCenterId: "EU-RO-1" }, "networkStorage");
const volumeId = volume.networkStorage.id;
const worker = new Resource("Template", {
  name: "worker", imageName: "${image}", containerDiskInGb: 20, volumeInGb: 0, isServerless: true, readme: "# Worker",
  dockerArgs: "-v", env: [{ key: "LEVEL", value: "info" }],
}, "template");
new Resource("Pod", {
  name: "trainer", imageName: "${image}", gpuTypeId: "NVIDIA L4", gpuCount: 1, cloudType: "ALL", containerDiskInGb: 50,
  networkVolumeId: volumeId, volumeMountPath: "/workspace", ports: "8888/http", env: [{ key: "MODE", value: "fast" }],
});
new Resource("Endpoint", {
  name: "llm", templateId: worker.template.id, gpuIds: "AMPERE_16,AMPERE_24,-NVIDIA L4", networkVolumeId: volumeId,
  locations: "EU-RO-1", scalerType: "REQUEST_COUNT", scalerValue: 2, idleTimeout: 100, workersMax: ${workers}, workersMin: 1,
});`;

  test("creates every kind that it has, changes them, sees nothing to do, and deletes them", async () => {
    project.write(program(10, "org/app:1", 2));
    await pulumi("up", "--yes", "--skip-preview");
    expect(account()).toMatchObject({
      networkVolumes: [{ name: "data", size: 10, dataCenter: "EU-RO-1" }],
      templates: [{ name: "worker", image: "org/app:1", args: "-v", serverless: true }],
      pods: [
        { name: "trainer", image: "org/app:1", disk: 50, dataCenterId: "EU-RO-1", ports: ["8888/http"] },
      ],
      endpoints: [{ name: "llm", env: { LEVEL: "info" }, workers: { min: 1, max: 2 } }],
    });
    await pulumi("up", "--yes", "--skip-preview", "--expect-no-changes");
    await pulumi("refresh", "--yes", "--expect-no-changes");
    const { networkVolumes, pods } = account();
    project.write(program(20, "org/app:2", 3));
    // Its preview breaks down over an endpoint whose template changes too.
    await pulumi("up", "--yes", "--skip-preview");
    expect(account()).toMatchObject({
      networkVolumes: [{ id: networkVolumes[0]?.id, size: 20 }],
      templates: [{ image: "org/app:2" }],
      pods: [{ id: pods[0]?.id, image: "org/app:2" }],
      endpoints: [{ workers: { min: 1, max: 3 } }],
    });
    await pulumi("destroy", "--yes");
    expect(emulator.service.isEmpty()).toBe(true);
  });
});

describeProvider("PODLUMI_VENDOR_PROVIDER", (path) => {
  emulatedProject("all", "dev", {
    features: { templateArgs: "dockerArgs" },
    timings: { templateRelease: 0 },
  });
  const pulumi = (...args: string[]) =>
    // It takes the address of GraphQL in the variable that podlumi has for REST.
    run(
      { RUNPOD_API_URL: emulator.graphqlUrl, PATH: [dirname(path), process.env.PATH].join(delimiter) },
      ...args,
    );

  const program = (size: number, image: string, secret: string, workers: number) => `${head}
const volume = new Resource("NetworkVolume", { name: "data", size: ${size}, dataCenterId: "EU-RO-1" });
const registry = new Resource("ContainerRegistryAuth", { name: "ghcr", username: "bot", password: "${secret}" });
new Resource("Secret", { name: "token", value: "${secret}", description: "a token" });
const worker = new Resource("Template", {
  name: "worker", imageName: "${image}", containerDiskInGb: 20, volumeInGb: 0, isServerless: true,
  env: { LEVEL: "info" }, portsConfig: [{ port: "8888", name: "Notebook" }],
});
new Resource("Pod", {
  name: "trainer", imageName: "${image}", gpuTypeId: "NVIDIA L4", gpuCount: 1, containerDiskInGb: 50, env: { MODE: "fast" },
  networkVolumeId: volume.id, containerRegistryAuthId: registry.id, startSsh: true,
});
new Resource("Endpoint", {
  name: "llm", templateId: worker.id, gpuIds: "ADA_24", networkVolumeId: volume.id, workersMax: ${workers}, env: { A: "b" },
  flashBootType: "FLASHBOOT",
});
class CpuPod extends pulumi.CustomResource {
  constructor() {
    super("runpod:index:Pod", "cpu", { name: "cpu", imageName: "org/app:1", computeType: "CPU", instanceIds: ["cpu3m-2-16"] });
  }
}
new CpuPod();
const invoke = (name, args = {}) => pulumi.output(pulumi.runtime.invoke("runpod:index:" + name, args));
exports.gpus = invoke("getGpuTypes").gpuTypes.length;
exports.flavors = invoke("getCPUFlavors").cpuFlavors.length;
exports.centers = invoke("getDataCenters").dataCenters.length;`;

  test("creates every kind that it has, changes them, sees nothing to do, and deletes them", async () => {
    project.write(program(10, "org/app:1", "one", 2));
    await pulumi("up", "--yes", "--skip-preview");
    const made = account();
    expect(made).toMatchObject({
      networkVolumes: [{ name: "data", size: 10 }],
      registries: [{ name: "ghcr" }],
      secrets: [{ name: "token", description: "a token" }],
      templates: [{ name: "worker", image: "org/app:1", env: { LEVEL: "info" } }],
      endpoints: [
        { name: "llm", workers: { min: 0, max: 2 }, env: { LEVEL: "info", A: "b" }, flashboot: "FLASHBOOT" },
      ],
    });
    expect(made.pods.map(({ name }) => name).sort()).toEqual(["cpu", "trainer"]);
    await pulumi("up", "--yes", "--skip-preview", "--expect-no-changes");
    await pulumi("refresh", "--yes", "--expect-no-changes");
    // GraphQL deletes no endpoint that may have workers, and this provider does not lower them by itself.
    project.write(program(20, "org/app:2", "two", 0));
    await pulumi("up", "--yes");
    expect(account()).toMatchObject({
      networkVolumes: [{ size: 20 }],
      templates: [{ image: "org/app:2" }],
      endpoints: [{ workers: { max: 0 } }],
    });
    expect(emulator.service.secrets.valueOf(made.secrets[0]?.id ?? "")).toBe("two");
    expect(emulator.service.registries.valueOf(made.registries[0]?.id ?? "")).toMatchObject({
      password: "two",
    });
    await pulumi("destroy", "--yes");
    expect(emulator.service.isEmpty()).toBe(true);
  });
});
