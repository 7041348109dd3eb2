import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";
import { type Emulator, startEmulator } from "../../sdk/emulator/service";
import { fast } from "../harness/account";
import { testLong } from "../harness/long";
import { Project } from "../harness/project";
import { TestStack } from "../harness/stack";

const ourKey = "rpa_OURS_0123456789";
const theirKey = "rpa_THEIRS_0123456789";

let ours: Emulator;
let theirs: Emulator;
let stack: TestStack;

beforeAll(async () => {
  ours = await startEmulator({ ...fast, apiKey: ourKey });
  theirs = await startEmulator({ ...fast, apiKey: theirKey });
  stack = await TestStack.create(
    { ...ours.env, RUNPOD_API_KEY: "" },
    {
      "podlumi:apiKey": { value: ourKey, secret: true },
      "podlumi:apiUrl": { value: ours.apiUrl },
      "podlumi:graphqlUrl": { value: ours.graphqlUrl },
      theirKey: { value: theirKey, secret: true },
    },
  );
});
afterAll(async () => {
  await Promise.all([ours.close(), theirs.close()]);
  stack.remove();
});

/** The output of a preview that must fail. It runs as a process, because a failing output would end this one. */
async function failureOf(source: string): Promise<string> {
  const project = new Project(ours);
  await project.pulumi("stack", "init", "test");
  project.write(source);
  const { ok, printed } = await project.pulumi("preview");
  project.remove();
  expect(ok).toBe(false);
  return printed;
}

/** A pod on the cheapest GPU, from an existing template, and a look-up of a volume in another account. */
async function program() {
  const { gpu, price } = await podlumi.cheapestGpu({ minMemory: 24, dataCenters: ["EU-RO-1"] });
  const template = podlumi.getTemplateOutput({ name: "lab" });
  const pod = new podlumi.Pod("pod", { templateId: template.id, gpu, dataCenterIds: ["EU-RO-1"] });
  const { apiUrl, graphqlUrl } = theirs;
  const account = new podlumi.Provider("theirs", {
    apiKey: new pulumi.Config().requireSecret("theirKey"),
    apiUrl,
    graphqlUrl,
  });
  const lent = podlumi.getNetworkVolumeOutput({ name: "lent" }, { provider: account });
  const own = new podlumi.NetworkVolume("own", { size: 10, dataCenter: lent.dataCenter });
  const again = podlumi.getNetworkVolumeOutput({ id: own.id }).size;
  const { size } = await podlumi.getNetworkVolume({ name: "lent" }, { provider: account });
  const { image, env } = template;
  const token = pulumi.unsecret(env.apply((all) => all?.TOKEN === "ENV-OF-LAB" && "as it is"));
  return { price, image, env, token, pod: pod.image, lent: lent.size, size, again };
}

test("functions give resources what they need, in a preview and in an update", async () => {
  ours.service.templates.create({ name: "lab", image: "org/lab:1", env: { TOKEN: "ENV-OF-LAB" } });
  theirs.service.volumes.create({ name: "lent", size: 30, dataCenter: "EU-SE-1" });

  const preview = await stack.preview(program);
  expect(preview.steps.map(({ name, op }) => `${op} ${name}`).sort()).toEqual(["create own", "create pod"]);

  const { outputs } = await stack.up(program);
  expect(outputs).toEqual({
    price: 0.24,
    image: "org/lab:1",
    env: expect.objectContaining({ ciphertext: "[secret]" }),
    token: "as it is",
    pod: "org/lab:1",
    lent: 30,
    size: 30,
    again: 10,
  });
  expect(ours.service.volumes.list()).toMatchObject([
    { name: expect.stringMatching(/^own-/), dataCenter: "EU-SE-1" },
  ]);
  const second = await stack.preview(program);
  expect(new Set(second.steps.map(({ op }) => op))).toEqual(new Set(["same"]));
  await stack.destroy();
});

test("actions of a program act whenever it runs, but for a preview", async () => {
  const { pods } = ours.service;
  const make = () => pods.create({ name: "p", image: "i", gpu: { id: "NVIDIA L4", count: 1 } }).id;
  const [one, other] = [make(), make()];
  const stop = (id: string) => async () => ({ status: (await podlumi.stopPod(id)).status });
  await stack.preview(stop(one));
  expect(pods.list().map(({ status }) => status)).not.toContain("EXITED");
  expect((await stack.up(stop(one))).outputs).toEqual({ status: "EXITED" });
  await stack.refresh(stop(other));
  expect(pods.get(other).status).toBe("EXITED");
  await stack.destroy(() => Promise.all([one, other].map((id) => podlumi.terminatePod(id))));
  expect(pods.list()).toEqual([]);
});

test("an account that only `up` will know is waited for", async () => {
  const { steps } = await stack.preview(() => {
    const later = new podlumi.NetworkVolume("later", { size: 10, dataCenter: "EU-RO-1" });
    const { apiUrl, graphqlUrl } = theirs;
    const apiKey = pulumi
      .all([later.id, new pulumi.Config().requireSecret("theirKey")])
      .apply(([, key]) => key);
    const provider = new podlumi.Provider("later", { apiKey, apiUrl, graphqlUrl });
    return { size: podlumi.getNetworkVolumeOutput({ name: "lent" }, { provider }).size };
  });
  expect(steps.map(({ op }) => op)).toEqual(["create"]);
});

testLong(
  "a provider of another copy of podlumi names its account, and one of another package none",
  async () => {
    const before = [ours, theirs].map(({ requests }) => requests.length);
    const printed = await failureOf(`
    const pulumi = require("@pulumi/pulumi");
    const podlumi = require("podlumi");
    for (const name of Object.keys(require.cache)) if (name.includes("/dist/")) delete require.cache[name];
    const copy = require("podlumi");
    const account = new podlumi.Provider("theirs", { apiKey: "${theirKey}", apiUrl: "${theirs.apiUrl}" });
    copy.getNetworkVolumeOutput({ name: "lent" }, { provider: account }).size.apply(() => {
      const none = new pulumi.ProviderResource("pulumi-nodejs", "none");
      return copy.getNetworkVolume({ name: "lent" }, { provider: none });
    });
  `);
    expect(printed).toContain("getNetworkVolume: its provider is not a `Provider` of podlumi");
    expect(ours.requests).toHaveLength(Number(before[0]));
    expect(theirs.requests.length).toBeGreaterThan(Number(before[1]));
  },
);

testLong(
  "what a function could not do ends a program with its message alone, and tells nothing secret",
  async () => {
    const printed = await failureOf(`
    const pulumi = require("@pulumi/pulumi");
    const podlumi = require("podlumi");
    podlumi.getPodOutput({ name: pulumi.secret("HIDDEN-NAME") });
    const apiKey = new podlumi.NetworkVolume("later", { size: 10, dataCenter: "EU-RO-1" }).id;
    podlumi.getBilling({}, { provider: new podlumi.Provider("later", { apiKey }) });
  `);
    expect(printed).toContain('getPod: there is no pod with the name "[secret]" in this account');
    expect(printed).toContain("getBilling: the account of its provider is not known before `pulumi up`");
    expect(printed).not.toMatch(new RegExp(`${ourKey}|HIDDEN-NAME|\\.js:\\d+`));
  },
);

test("a secret in a list is not told either, nor what a shorter one leaves of it", async () => {
  const printed = await failureOf(`
    const pulumi = require("@pulumi/pulumi");
    const dataCenters = ["EU-RO-1", "EU-RO-1-HIDDEN"];
    require("podlumi").cheapestGpuOutput({ minMemory: 9999, dataCenters: pulumi.secret(dataCenters) });
  `);
  expect(printed).toContain('cheapestGpu: the catalog has no data center "[secret]"');
  expect(printed).not.toContain("HIDDEN");
});

test("neither keys nor secrets are left in what was printed or kept", () => {
  expect(stack.leftBehind()).not.toMatch(new RegExp(`${ourKey}|${theirKey}|ENV-OF-LAB`));
});
