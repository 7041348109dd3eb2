import { emulatedProject, emulator, project } from "../harness/emulated";
import { testLong } from "../harness/long";
import { policyPack } from "./pack";

const hidden = "hf_HIDDENhiddenHIDDENhidden";

emulatedProject("all");

const endpoint = (workers: object, rest: object = {}) =>
  JSON.stringify({
    type: "QUEUE",
    image: "org/llm:1",
    gpu: { pools: ["ADA_24"] },
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
    workers,
    ...rest,
  });

/** The policy violations of a preview: level, policy, resource, and the last line of the message. */
async function violations(
  pack: string,
  environment?: Record<string, string>,
): Promise<{ ok: boolean; printed: string; found: string[] }> {
  const args = ["preview", "--policy-pack", pack, "--non-interactive"];
  const { ok, printed } = await project.run("pulumi", args, environment);
  const found = [...printed.matchAll(/- \[(\w+)\] +([\w-]+) +\(\S+ (\S+)\)\n.*\n +(.*)/g)];
  return {
    ok,
    printed,
    found: found.map(([, level, policy, name, text]) => `${level} ${policy} ${name}: ${text}`),
  };
}

test("a stack that breaks the rules of the pack fails in the preview, which says what to fix and shows no secret", async () => {
  const limits = {
    maxHourlyCost: 1,
    maxStackHourlyCost: 2,
    allowedGpus: ["ADA_24"],
    allowedClouds: ["SECURE"],
    allowedDataCenters: ["EU-RO-1"],
    maxWorkers: 2,
    maxIdleTimeout: 60,
  };
  const pack = policyPack(project, `podlumi.podlumiPolicies("team", ${JSON.stringify(limits)});`);
  emulator.service.templates.create({ name: "old", image: "org/pod:1", public: true });
  project.declare(
    'const data = new podlumi.NetworkVolume("data", { size: 100, dataCenter: "EU-SE-1" });',
    'const token = new podlumi.Secret("token", { value: "x" });',
    `new podlumi.Pod("pod", { image: "org/pod:1", gpu: { id: "NVIDIA H200" }, dataCenterIds: ["EU-RO-1"],
       env: { HF_TOKEN: token.reference, VOLUME: data.id, HUB: "${hidden}", DB_PASSWORD: "HIDDEN", PGPASSWORD: "HIDDEN", MAX_TOKENS: "9" } });`,
    `new podlumi.ServerlessEndpoint("llm", ${endpoint({ max: 3 })});`,
    'new podlumi.Template("open", { image: "org/pod:1", public: true });',
    'new podlumi.Template("old", { image: "org/pod:1", adopt: { name: "old" } });',
  );
  const { ok, printed, found } = await violations(pack);
  expect(ok).toBe(false);
  expect(found.sort()).toEqual([
    'mandatory allowed-data-centers data: dataCenter is "EU-SE-1", which is not allowed: choose from EU-RO-1',
    "mandatory allowed-data-centers llm: dataCenterIds names none, so it could be in any: choose from EU-RO-1",
    'mandatory allowed-gpus pod: gpu.id is "NVIDIA H200", which is not allowed: choose from ADA_24',
    "mandatory max-hourly-cost llm: costs up to 1.08 USD an hour, more than the 1 that are allowed: 0 to 3 workers of " +
      "1 × ADA_24 GPU at 0.36 USD an hour, without its container disk, whose size is not known yet",
    "mandatory max-hourly-cost pod: costs up to 1.41 USD an hour, more than the 1 that are allowed: 1 × NVIDIA H200 at " +
      "1.41 USD an hour, without its container disk, whose size is not known yet",
    expect.stringMatching(
      /^mandatory max-stack-hourly-cost \S+: costs up to 2.509178 USD an hour, more than the 2 /,
    ),
    "mandatory max-workers llm: workers.max is 3: set it to 2 or less",
    "mandatory no-plain-text-secrets pod: env.DB_PASSWORD is a secret by its name, in plain text: keep it in a " +
      "podlumi.Secret and pass its reference",
    "mandatory no-plain-text-secrets pod: env.HUB looks like a key in plain text: keep it in a podlumi.Secret and pass " +
      "its reference",
    "mandatory no-plain-text-secrets pod: env.PGPASSWORD is a secret by its name, in plain text: keep it in a " +
      "podlumi.Secret and pass its reference",
    "mandatory no-public-templates old: public is not declared, so an adopted object keeps what it has, which is not " +
      "known here: set it to false",
    "mandatory no-public-templates open: public is true, so that every account may use it: remove it",
    "mandatory required-idle-timeout llm: workers.idleTimeout is missing: set it, at most 60 s",
  ]);
  expect(printed).not.toMatch(/HIDDEN/);
});

testLong(
  "a pack of one's own warns where it is told to, and a cost that cannot be told is told",
  async () => {
    const pack = policyPack(
      project,
      `new PolicyPack("own", { enforcementLevel: "advisory", policies: [
       podlumi.maxHourlyCost({ usd: 9 }),
       podlumi.allowedClouds({ allowed: ["COMMUNITY"] }),
       podlumi.requiredIdleTimeout({ max: 60 }),
     ] });`,
    );
    project.declare(
      'new podlumi.Pod("pod", { image: "org/pod:1", gpu: { id: "NVIDIA X1" } });',
      `new podlumi.ServerlessEndpoint("slow", ${endpoint({ idleTimeout: 90 })});`,
      `new podlumi.ServerlessEndpoint("counted", ${endpoint({}, { scaling: { type: "REQUEST_COUNT", requestCount: 4 } })});`,
    );
    const { ok, found } = await violations(pack);
    expect(ok).toBe(true);
    expect(found.sort()).toEqual([
      'advisory allowed-clouds pod: cloud is "SECURE", which is not allowed: choose from COMMUNITY',
      "advisory max-hourly-cost pod: the cost is not known, so it may be more than 9 USD an hour: the catalog has no " +
        'price of "NVIDIA X1" in the SECURE cloud',
      "advisory required-idle-timeout slow: workers.idleTimeout is 90 s: set it to 60 s or less",
    ]);
  },
);

testLong(
  "without a key in the environment, the cost is not known, and the policy sends nobody to the configuration, which it does not have",
  async () => {
    const pack = policyPack(
      project,
      'new PolicyPack("own", { enforcementLevel: "advisory", policies: [podlumi.maxHourlyCost({ usd: 9 })] });',
    );
    project.declare('new podlumi.Pod("pod", { image: "org/pod:1", gpu: { id: "NVIDIA L4" } });');
    await project.pulumi("config", "set", "--secret", "podlumi:apiKey", "emulator");
    expect((await violations(pack, { RUNPOD_API_KEY: "" })).found).toEqual([
      "advisory max-hourly-cost pod: the cost is not known (a policy has the environment, not the configuration of the stack): " +
        "prices of the catalog: no API key: set the environment variable RUNPOD_API_KEY [PODLUMI-CONFIGURATION]",
    ]);
  },
);

testLong(
  "the budget of a stack holds in a preview of the plugin, which does not know the outputs",
  async () => {
    const pack = policyPack(
      project,
      'new PolicyPack("own", { enforcementLevel: "mandatory", policies: [podlumi.maxStackHourlyCost({ usd: 0.5 })] });',
    );
    const declare = (...lines: string[]) =>
      project.write(['const podlumi = require("podlumi/plugin");', ...lines].join("\n"));
    const data = 'new podlumi.NetworkVolume("data", { size: 100, dataCenter: "EU-RO-1" });';
    const pod = (more: string) =>
      `new podlumi.Pod("pod", { image: "org/pod:1", gpu: { id: "NVIDIA L4"${more} } });`;
    declare(data, pod(", count: 4"));
    expect(await violations(pack)).toMatchObject({
      ok: false,
      found: [
        expect.stringMatching(
          /^mandatory max-stack-hourly-cost \S+: costs up to 0\.9\d+ USD .*4 × NVIDIA L4/,
        ),
      ],
    });
    declare(data, pod(""));
    expect(await violations(pack)).toMatchObject({ ok: true, found: [] });
    // What exists counts with what it has, such as the disk that the program leaves out.
    await project.pulumi("up", "--yes", "--skip-preview");
    declare(data, pod(""), `new podlumi.ServerlessEndpoint("llm", ${endpoint({ max: 1, idleTimeout: 5 })});`);
    const { ok, found } = await violations(pack);
    expect({ ok, found }).toEqual({
      ok: false,
      found: [
        expect.stringMatching(
          /max-stack-hourly-cost \S+: .*1 × NVIDIA L4 at 0\.24 USD an hour, 20 GB of container disk/,
        ),
      ],
    });
    await project.pulumi("destroy", "--yes", "--skip-preview");
  },
);

testLong("default tags count as the resource's own, in the preview and for a policy", async () => {
  const pack = policyPack(
    project,
    `new PolicyPack("own", { enforcementLevel: "mandatory", policies: [
       podlumi.requiredTags({ keys: ["team", "env"] }),
     ] });`,
  );
  project.declare(
    'new podlumi.NetworkVolume("data", { size: 10, dataCenter: "EU-RO-1", tags: { env: "dev" } });',
    'const other = new podlumi.Provider("other", { defaultTags: { team: "web", env: "prod" } });',
    'new podlumi.NetworkVolume("others", { size: 10, dataCenter: "EU-RO-1" }, { provider: other });',
    'const plugin = require("podlumi/plugin");',
    'new plugin.NetworkVolume("plugged", { size: 10, dataCenter: "EU-RO-1", tags: { env: "stage" } });',
    'const third = new plugin.Provider("third", { defaultTags: { team: "app", env: "test" } });',
    'new plugin.NetworkVolume("third", { size: 10, dataCenter: "EU-RO-1" }, { provider: third });',
  );
  expect((await violations(pack)).found.sort()).toEqual([
    "mandatory required-tags data: tags.team is missing",
    "mandatory required-tags plugged: tags.team is missing",
  ]);
  await project.pulumi("config", "set", "--path", "podlumi:defaultTags.team", "ml");
  const { ok, found } = await violations(pack);
  expect({ ok, found }).toEqual({ ok: true, found: [] });
  await project.pulumi("up", "--yes", "--skip-preview");
  const valuesOf = ({ tags }: { tags: { value: string }[] }) => tags.map(({ value }) => value).sort();
  expect(emulator.service.volumes.list().map(valuesOf).map(String).sort()).toEqual([
    "app,test",
    "dev,ml",
    "ml,stage",
    "prod,web",
  ]);
  await project.pulumi("destroy", "--yes", "--skip-preview");
  await project.pulumi("config", "rm", "podlumi:defaultTags");
});

testLong("a stack within the limits passes", async () => {
  const pack = policyPack(
    project,
    'podlumi.podlumiPolicies("team", { maxHourlyCost: 5, maxStackHourlyCost: 5 });',
  );
  project.declare(
    `new podlumi.ServerlessEndpoint("llm", ${endpoint({ max: 3, idleTimeout: 5 })});`,
    'new podlumi.Template("lab", { image: "org/pod:1", env: { KEY: "{{ RUNPOD_SECRET_key }}" } });',
  );
  expect(await violations(pack)).toMatchObject({ ok: true, found: [] });
});
