import * as podlumi from "podlumi";
import { emulated, requestsOf } from "./emulated";
import { gpu, oneOfEach } from "./objects";

const account = emulated({ features: { pagination: true } });
const older = emulated({ features: { restSecrets: false, globalVolumes: false, graphqlExtras: false } });

const lists = {
  Pod: [podlumi.getPods, podlumi.getPod],
  ServerlessEndpoint: [podlumi.getServerlessEndpoints, podlumi.getServerlessEndpoint],
  Cluster: [podlumi.getClusters, podlumi.getCluster],
  NetworkVolume: [podlumi.getNetworkVolumes, podlumi.getNetworkVolume],
  GlobalVolume: [podlumi.getGlobalVolumes, podlumi.getGlobalVolume],
  Template: [podlumi.getTemplates, podlumi.getTemplate],
  Secret: [podlumi.getSecrets, podlumi.getSecret],
  RegistryAuth: [podlumi.getRegistryAuths, podlumi.getRegistryAuth],
  RegistryDelegation: [podlumi.getRegistryDelegations, podlumi.getRegistryDelegation],
} as const;
const kinds = Object.keys(lists) as (keyof typeof lists)[];

describe("of an account", () => {
  let made: ReturnType<typeof oneOfEach>;
  beforeAll(() => {
    Object.assign(process.env, account.emulator.env);
    made = oneOfEach(account.emulator);
  });

  test.each(kinds)(
    "a list has each %s as its lookup returns it, and no value that may be secret",
    async (kind) => {
      const [list, get] = lists[kind];
      const { env, ...found }: { env?: object; id: string } = await get({ id: made[kind].id });
      const listed = await list();
      expect(listed).toEqual([found]);
      expect(JSON.stringify(listed)).not.toMatch(/(ENV|SECRET|USER|PASS)-VALUE/);
    },
  );

  test("a list is asked for each time, and takes one request", async () => {
    const { service } = account.emulator;
    const before = requestsOf(account, "/pods").length;
    const { id } = service.pods.create({ name: "b-pod", image: "i", gpu, ports: ["80/http"] });
    const [newest] = await podlumi.getPods();
    expect(newest).toMatchObject({ id, urls: { 80: `https://${id}-80.proxy.runpod.net` } });
    service.pods.delete(id);
    expect((await podlumi.getPods()).map((pod) => pod.id)).toEqual([made.Pod.id]);
    expect(requestsOf(account, "/pods").length - before).toBe(2);
    expect(requestsOf(account, `/pods/${id}`)).toEqual([]);
  });
});

describe("of a service that lacks a list", () => {
  beforeAll(() => {
    Object.assign(process.env, older.emulator.env);
  });

  test("global volumes are none", async () => {
    expect(await podlumi.getGlobalVolumes()).toEqual([]);
  });

  test("secrets are an error, since there may be some", async () => {
    await expect(podlumi.getSecrets()).rejects.toThrow(
      "getSecrets: the service does not list its secrets [PODLUMI-INVALID]",
    );
  });
});
