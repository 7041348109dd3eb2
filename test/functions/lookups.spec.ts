import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";
import { startEmulator } from "../../sdk/emulator/service";
import { apiKey, emulated } from "./emulated";
import { arn, gpu, oneOfEach } from "./objects";

const account = emulated({ features: { pagination: true } });

let made: ReturnType<typeof oneOfEach>;
beforeAll(() => {
  made = oneOfEach(account.emulator);
});

const lookups = {
  Pod: [podlumi.getPod, "pod"],
  ServerlessEndpoint: [podlumi.getServerlessEndpoint, "serverless endpoint"],
  Cluster: [podlumi.getCluster, "cluster"],
  NetworkVolume: [podlumi.getNetworkVolume, "network volume"],
  GlobalVolume: [podlumi.getGlobalVolume, "global volume"],
  Template: [podlumi.getTemplate, "template"],
  Secret: [podlumi.getSecret, "secret"],
  RegistryAuth: [podlumi.getRegistryAuth, "registry credential"],
  RegistryDelegation: [podlumi.getRegistryDelegation, "registry delegation"],
} as const;
const kinds = Object.keys(lookups) as (keyof typeof lookups)[];

test.each(kinds)(
  "a %s is the same by its id and by its name, and tells no value that is not returned",
  async (kind) => {
    const [get] = lookups[kind];
    const { id, name } = made[kind];
    const found = await get({ name: String(name) });
    expect(found).toMatchObject({ id, name });
    expect(await get({ id })).toEqual(found);
    expect(JSON.stringify(found)).not.toMatch(/(SECRET|USER|PASS)-VALUE/);
  },
);

test("what podlumi computes of an object is found with it, but no revision, which is of a program", async () => {
  const { id } = account.emulator.service.pods.create({
    name: "b-pod",
    image: "i",
    gpu,
    ports: ["80/http", "6379/tcp"],
  });
  account.clock.advance(60_000);
  const { urls, tcpAddresses, runtime } = await podlumi.getPod({ id });
  expect(urls).toEqual({ 80: `https://${id}-80.proxy.runpod.net` });
  expect(tcpAddresses).toEqual({ 6379: { host: "203.0.113.7", port: runtime?.ports?.at(-1)?.public } });
  account.emulator.service.pods.delete(id);
  const { requestUrls, baseUrl, openaiBaseUrl } = await podlumi.getServerlessEndpoint({
    name: "an-endpoint",
  });
  expect([`${baseUrl}/run`, openaiBaseUrl]).toEqual([requestUrls.run, `${baseUrl}/openai/v1`]);
  const { dataCenter, s3Endpoint } = await podlumi.getNetworkVolume({ name: "a-volume" });
  expect([dataCenter, s3Endpoint]).toEqual(["EU-RO-1", "https://s3api-eu-ro-1.runpod.io"]);
  expect((await podlumi.getSecret({ name: "a_secret" })).reference).toBe("{{ RUNPOD_SECRET_a_secret }}");
  expect(await podlumi.getTemplate({ name: "a-template" })).not.toHaveProperty("revision");
});

test.each(kinds)("a %s that is not there is an error, which names the one that comes close", async (kind) => {
  const [get, noun] = lookups[kind];
  const { name } = made[kind];
  await expect(get({ name: `${name}s` })).rejects.toThrow(
    `get${kind}: there is no ${noun} with the name "${name}s" in this account; did you mean "${name}"?`,
  );
  await expect(get({ id: "nobody" })).rejects.toMatchObject({
    code: "PODLUMI-NOT-FOUND",
    message: expect.stringContaining(`there is no ${noun} with the id "nobody" in this account`),
  });
  await expect(get({ id: String(name) })).rejects.toThrow(
    `there is no ${noun} with the id "${name}" in this account, but one of that name, with the id "${made[kind].id}"`,
  );
  await expect(get({ id: "../pods" })).rejects.toThrow(/there is no .* with the id|answered 4\d\d/);
});

test("a name that several have is an error with their ids", async () => {
  const { id } = account.emulator.service.pods.create({ name: "a-pod", image: "i", gpu });
  const error = await podlumi.getPod({ name: "a-pod" }).catch(String);
  expect(error).toContain("getPod: 2 pods have the name");
  for (const one of [id, made.Pod.id]) expect(error).toContain(one);
  account.emulator.service.pods.delete(id);
});

test("one without a name is not proposed", async () => {
  const { id } = account.emulator.service.delegations.create({ resource: arn });
  expect(await podlumi.getRegistryDelegation({ id })).toMatchObject({ name: null, tag: "v1" });
  await expect(podlumi.getRegistryDelegation({ name: "nul" })).rejects.toThrow(
    /in this account: `npx podlumi ls` lists what there is \[PODLUMI-NOT-FOUND\]$/,
  );
});

test("a cluster is found with its pods and what they cost", async () => {
  const { id } = made.Cluster;
  const { pods, members, cost } = await podlumi.getCluster({ id });
  const { service } = account.emulator;
  expect(members.map((member) => member.id)).toEqual(service.clusters.pods(id).map((pod) => pod.id));
  expect(pods.total).toBe(members.length);
  expect(cost).toBeGreaterThan(0);
  expect(cost).toBe(members.reduce((sum, member) => sum + member.cost, 0));
});

test.each([
  [{}, "give the id or the name of the template, one of them"],
  [
    { id: "", name: "" },
    "id: must not be empty [PODLUMI-INVALID]\nname: must not be empty [PODLUMI-INVALID]",
  ],
  [{ id: "a", name: "b" }, "give the id or the name of the template, one of them"],
])("%j names nothing", async (args, reason) => {
  await expect(podlumi.getTemplate(args as never)).rejects.toThrow(reason);
});

test("what a program changes meanwhile is seen", async () => {
  const { service } = account.emulator;
  const { id } = made.NetworkVolume;
  service.volumes.update(id, { size: 30 });
  expect((await podlumi.getNetworkVolume({ id })).size).toBe(30);
});

describe("the form of outputs", () => {
  test("keeps env secret, and nothing else", async () => {
    const found = podlumi.getPodOutput({ name: pulumi.output("a-pod") });
    expect(await value(found.env)).toMatchObject({ TOKEN: "ENV-VALUE" });
    expect(await pulumi.isSecret(found.env)).toBe(true);
    expect(await pulumi.isSecret(found.image)).toBe(false);
    expect(JSON.stringify(await value(found))).not.toContain("ENV-VALUE");
  });

  test("makes a secret of the answer to a secret question", async () => {
    const found = podlumi.getNetworkVolumeOutput({ name: pulumi.secret("a-volume") });
    expect(await pulumi.isSecret(found.size)).toBe(true);
  });
});

test("a process without an engine looks up the same, a secret over GraphQL where there is no other way", async () => {
  const older = await startEmulator({ apiKey, features: { restSecrets: false } });
  older.service.secrets.create({ name: "a_secret", value: "SECRET-VALUE" });
  const script = `
    const podlumi = require("podlumi");
    podlumi.getSecret({ name: "a_secret" }).then(console.log)
      .then(() => podlumi.getPod({ id: "nobody" }))
      .catch((error) => console.log(error));
  `;
  const cwd = resolve("examples/quickstart");
  const env = { ...process.env, ...older.env };
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], { cwd, env });
  await older.close();
  expect(older.requests.map(({ operation }) => operation)).toContain("myself");
  expect(stdout).toContain("name: 'a_secret'");
  expect(stdout).toContain('there is no pod with the id "nobody" in this account');
  expect(stdout).not.toMatch(new RegExp(`${apiKey}|[A-Z]+-VALUE`));
});

function value<T>(output: pulumi.Output<T>): Promise<unknown> {
  return (output as unknown as { promise(): Promise<unknown> }).promise();
}
