import { systemClock } from "../../provider/client/clock";
import { endRun } from "../../provider/core/end";
import { handler } from "../../provider/core/handler";
import { unknownValue } from "../../provider/core/value";
import type { Stated } from "../../provider/engine/export";
import { definitions } from "../../provider/resources";
import { send } from "../harness/account";
import { speed } from "./fast-clock";
import {
  backend,
  begin,
  create,
  declared,
  emulator,
  existing,
  haveInState,
  heard,
  inputs,
  type Kind,
  loseState,
  provider,
  stacks,
  stated,
  stateHas,
  urnOf,
  withoutSecretsOverRest,
} from "./process";

// The end of a run that has deleted a secret to which containers refer: the service deletes it all the same.

const env = { HF_TOKEN: "Bearer {{ RUNPOD_SECRET_Token }}" };
const warning = /the secret is deleted, and .* still refers? to it: .* \[PODLUMI-STILL-USED\]/;

/** Milliseconds of the emulated service. */
const lag = 300;

/** Makes a secret and what refers to it, deletes the secret, does `more`, and returns what the end of the run says. */
async function afterDeletion(
  users: readonly Kind[],
  more: (now: ReturnType<typeof provider>) => unknown = () => {},
  listLag = 0,
) {
  const before = provider();
  for (const kind of users) await create(before[kind], kind, { env });
  const { id, outs } = await create(before.secret, "secret");
  await systemClock.sleep(2 * listLag * speed);
  emulator.service.timings.listLag = listLag;
  const now = provider();
  await now.secret.delete(id, outs ?? {});
  await more(now);
  const { said } = await heard(() => endRun(now.run));
  return said;
}

test.each([
  ["pod", /and pod "trainer" \(\w+\) still refers/],
  ["cluster", /and cluster \w+ still refers/],
  ["serverlessEndpoint", /and endpoint "llm" \(\w+\) still refers/],
  ["template", /and template "worker" \(\w+\) still refers/],
] as const)("tells which %s still refers to it", async (kind, expected) => {
  const said = await afterDeletion([kind]);
  expect(said).toMatch(warning);
  expect(said).toMatch(expected);
});

test("tells all of them at once, also where GraphQL has the secrets", async () => {
  await withoutSecretsOverRest();
  expect(await afterDeletion(["pod", "template"])).toMatch(/and pod .*, template .* still refer to it/);
});

test("says nothing where nothing refers to it", async () => {
  expect(await afterDeletion([])).not.toMatch(warning);
});

test("says nothing of what this run has deleted as well, although lists lag behind", async () => {
  const deleting = afterDeletion(
    ["pod"],
    async ({ pod }) => {
      const ids = emulator.service.pods.list({}).map(({ id }) => id);
      for (const id of ids) await pod.delete(id, { ...declared("pod"), ...inputs.pod });
    },
    lag,
  );
  expect(await deleting).not.toMatch(warning);
});

test("tells it although the list of secrets lags behind, and shows the deleted one", async () => {
  const said = await afterDeletion(["pod"], undefined, lag);
  expect(said).toMatch(warning);
});

test.each(["by the program", "by somebody else"])(
  "says nothing where a secret of that name has been created again %s",
  async (by) => {
    const said = await afterDeletion(["pod"], async ({ secret }) => {
      if (by === "by somebody else") emulator.service.secrets.create({ name: "TOKEN", value: "v" });
      else await secret.check?.({}, declared("secret", { name: "token" }));
    });
    expect(said).not.toMatch(warning);
  },
);

describe("a credential that is named elsewhere, which the service does not refuse to delete", () => {
  const ghcr = async (kind: Kind) => {
    const { id, outs = {} } = await create(provider().registryAuth, "registryAuth");
    const user = await create(provider()[kind], kind, { registry: id });
    const removed = () => provider().registryAuth.delete(id, outs);
    return { id, outs, user, removed };
  };
  const registryOf = (id: string) => emulator.service.templates.get(id).registry;

  test.each(["template", "serverlessEndpoint"] as const)(
    "stays where a %s of others has it",
    async (kind) => {
      const { id, user, removed } = await ghcr(kind);
      await expect(removed()).rejects.toThrow(
        new RegExp(
          `would take the registry credential from (template|endpoint) "\\w+" \\(${user.id}\\), which this stack does not have: .* \\[PODLUMI-IN-USE\\]`,
        ),
      );
      expect(existing()).toContain(id);
    },
  );

  test.each(["has it in its state", "has let go of it in this run"])(
    "stays where another stack has adopted the template, and this one %s",
    async (is) => {
      const { id, outs = {} } = await create(provider().registryAuth, "registryAuth");
      const user = await begin(provider().template, "template", { registry: id });
      const theirs = { __stack: stacks.theirs, __urn: urnOf("template", "theirs") };
      await begin(provider().template, "template", { ...theirs, registry: id, adopt: user.id });
      const { template, registryAuth } = provider();
      if (is === "has it in its state") {
        stateHas?.set(user.id, urnOf("template"));
        backend.objects = [stated(urnOf("template"), user.id, { outputs: user.outs ?? {} })];
      } else await heard(() => template.delete(user.id, user.outs ?? {}));
      await expect(registryAuth.delete(id, outs)).rejects.toThrow(/from template .*\[PODLUMI-IN-USE\]/);
      expect(registryOf(user.id)).toBe(id);
    },
  );

  test("stays where a template of others begins to name it while the deletion waits for a pod", async () => {
    const { id, user: pod, removed } = await ghcr("pod");
    let refusals = 0;
    emulator.on("after", { method: "DELETE", path: "/registries/*" }, async () => {
      refusals += 1;
      if (refusals === 1)
        await send(emulator, "POST", "templates", { name: "others", image: "org/app:1", registry: id });
      // The next deletion would be the last.
      if (refusals === 8) await send(emulator, "DELETE", `pods/${pod.id}`);
    });
    await expect(removed()).rejects.toThrow(
      /would take the registry credential from template "others" .* \[PODLUMI-IN-USE\]/,
    );
    expect(existing()).toContain(id);
  });

  test("goes where the template is of this stack, which says what becomes of it", async () => {
    const { user, removed } = await ghcr("template");
    haveInState(user.id);
    await removed();
    expect(registryOf(user.id)).toBeNull();
  });

  test("goes where this run has deleted the template, although lists lag behind", async () => {
    const { id, outs, user } = await ghcr("template");
    emulator.service.timings.listLag = lag;
    const { template, registryAuth } = provider();
    await template.delete(user.id, user.outs ?? {});
    await registryAuth.delete(id, outs);
    expect(existing()).toEqual([]);
  });

  test("goes where another provider or stack has just deleted the template, although lists lag behind", async () => {
    const { removed, user } = await ghcr("template");
    emulator.service.timings.listLag = lag;
    await send(emulator, "DELETE", `templates/${user.id}`);
    await removed();
    expect(existing()).toEqual([]);
  });

  test("goes where this run knows the template, although the state cannot be read", async () => {
    const { id, outs, user } = await ghcr("template");
    loseState();
    const { template, registryAuth } = provider();
    await template.update(user.id, user.outs ?? {}, { ...user.outs, ...inputs.template, registry: id });
    await registryAuth.delete(id, outs);
    expect(registryOf(user.id)).toBeNull();
  });

  test.each([
    ["stays where the template has left the state since this run compared it, as with retainOnDelete", false],
    ["goes where this run is still creating the template", true],
  ])("%s", async (_title, isCreating) => {
    const { id, outs, user } = await ghcr("template");
    backend.pending = isCreating ? [urnOf("template")] : [];
    const { template, registryAuth } = provider();
    await template.diff?.(user.id, user.outs ?? {}, declared("template", { registry: id }));
    const removed = registryAuth.delete(id, outs);
    if (isCreating) await removed;
    else await expect(removed).rejects.toThrow(/from template .*\[PODLUMI-IN-USE\]/);
    expect(registryOf(user.id)).toBe(isCreating ? null : id);
  });

  test("is told of in the preview of its replacement", async () => {
    const { id, outs, user } = await ghcr("template");
    const previewed = async (isRetained = false) => {
      backend.objects = [stated(urnOf("registryAuth"), id, { isRetained })];
      const { registryAuth } = provider();
      const news = declared("registryAuth", { name: "other" });
      await registryAuth.check?.(declared("registryAuth"), news);
      const { said } = await heard(() => registryAuth.diff?.(id, outs, news));
      return said;
    };
    const told = new RegExp(
      `a deletion that fails, since it would take the registry credential from template "worker" \\(${user.id}\\), .* \\[PODLUMI-IN-USE\\]`,
    );
    // What is said once is not said again.
    expect(await previewed(true)).not.toMatch(told);
    expect(await previewed()).toMatch(told);
    haveInState(user.id);
    expect(await previewed()).not.toMatch(told);
  });

  test("is told of in the preview of a replacement by the engine itself, as with --replace, unless retainOnDelete keeps it", async () => {
    const { id, outs } = await ghcr("template");
    const previewed = async (isRetained: boolean) => {
      backend.objects = [stated(urnOf("registryAuth"), id, { outputs: outs, isRetained })];
      const news = declared("registryAuth", { name: "other" });
      return (await heard(async () => provider().registryAuth.check?.({}, news))).said;
    };
    const told = /a deletion that fails, since it would take the registry credential from template "worker" /;
    expect(await previewed(true)).not.toMatch(told);
    expect(await previewed(false)).toMatch(told);
  });
});

describe("a delegation whose image others run, which the service does not refuse to delete", () => {
  const image = "123456789012.dkr.ecr.us-east-2.amazonaws.com/app:v1";
  const ecr = async (kind: Kind, changes: object = {}) => {
    const { id, outs = {} } = await create(provider().registryDelegation, "registryDelegation");
    const user = await create(provider()[kind], kind, { image, ...changes });
    return { id, user, removed: () => provider().registryDelegation.delete(id, outs) };
  };

  test.each([
    ["pod", /from pod "trainer" \(\w+\), which/],
    ["cluster", /from cluster \w+, which/],
    ["serverlessEndpoint", /from endpoint "llm" \(\w+\), which/],
    ["template", /from template "worker" \(\w+\), which/],
  ] as const)("stays where a %s of others has it", async (kind, expected) => {
    const { id, removed } = await ecr(kind);
    const error = await removed().catch(({ message }) => message);
    expect(error).toMatch(/would take the registry delegation .* \[PODLUMI-IN-USE\]$/);
    expect(error).toMatch(expected);
    expect(existing()).toContain(id);
  });

  test.each(["pod", "cluster", "template"] as const)("goes where the %s is of this stack", async (kind) => {
    const { id, user, removed } = await ecr(kind);
    haveInState(user.id);
    await removed();
    expect(existing()).not.toContain(id);
  });

  test("goes where they pull the image with a credential", async () => {
    const ghcr = await create(provider().registryAuth, "registryAuth");
    const { id, removed } = await ecr("template", { registry: ghcr.id });
    await removed();
    expect(existing()).not.toContain(id);
  });

  test("goes where another delegation of the image stays", async () => {
    const { id, removed } = await ecr("template");
    await create(provider().registryDelegation, "registryDelegation", { name: "theirs" });
    await removed();
    expect(existing()).not.toContain(id);
  });

  const fails =
    /its replacement ends with a deletion that fails, since it would take the registry delegation from template/;
  const mayFail = new RegExp(`unless the next one serves the same by then, ${fails.source}`);

  test.each([
    [
      "another image",
      { resource: inputs.registryDelegation.resource.replace("v1", "v2"), __madeFirst: false },
      true,
    ],
    ["an image that is not known yet", { resource: unknownValue, __madeFirst: false }, "maybe"],
    ["a new name, which is created first", { name: "new", __madeFirst: false }, false],
    ["a new name, where the program does not tell what comes first", { name: "new" }, "maybe"],
  ])(
    "is told of in the preview of its replacement where that does not serve them: %s",
    async (_title, changes, isTold) => {
      const { id, outs = {} } = await create(provider().registryDelegation, "registryDelegation");
      await create(provider().template, "template", { image });
      const { registryDelegation } = provider();
      const news = declared("registryDelegation", changes);
      await registryDelegation.check?.(declared("registryDelegation"), news);
      const { said } = await heard(() => registryDelegation.diff?.(id, outs, news));
      expect([fails.test(said), mayFail.test(said)]).toEqual([isTold !== false, isTold === "maybe"]);
    },
  );

  test.each<[string, { __madeFirst?: boolean }, Partial<Stated>, boolean]>([
    ["which creates one that serves them first", { __madeFirst: false }, {}, false],
    ["where the program does not tell what comes first", {}, {}, true],
    [
      "where an option may have it deleted with another resource",
      { __madeFirst: false },
      { replacedWith: [{ urn: urnOf("template"), isNear: true }] },
      true,
    ],
  ])(
    "is told of in the preview of --replace only where it may fail: %s",
    async (_title, option, more, isTold) => {
      const { id, outs = {} } = await create(provider().registryDelegation, "registryDelegation");
      await create(provider().template, "template", { image });
      const object = { outputs: outs, servedBy: stacks.ours, ...more };
      backend.objects = [stated(urnOf("registryDelegation"), id, object)];
      const news = declared("registryDelegation", option);
      const { said } = await heard(async () => provider().registryDelegation.check?.({}, news));
      expect(mayFail.test(said)).toBe(isTold);
    },
  );
});

test.each([
  ["global volume", "GlobalVolume", "globalVolumes"],
  ["network volume", "NetworkVolume", "networkVolumes"],
] as const)(
  "a %s that an endpoint of others has stays, without workers, too, and goes where the endpoint is of this stack",
  async (noun, kind, field) => {
    const { globalVolumes, volumes } = emulator.service;
    const made = { GlobalVolume: globalVolumes, NetworkVolume: volumes };
    const { id } = made[kind].create({ name: "models", size: 10, dataCenter: "EU-RO-1" });
    const endpoint = await create(provider().serverlessEndpoint, "serverlessEndpoint", { [field]: [id] });
    const state = {
      name: "models",
      __urn: `urn:pulumi:dev::shop::podlumi:index:${kind}::r`,
      __stack: stacks.ours,
    };
    const removed = () => handler(definitions[kind], provider().run).delete(id, state);
    await expect(removed()).rejects.toThrow(
      new RegExp(`would take the ${noun} from endpoint "llm" \\(${endpoint.id}\\), .* \\[PODLUMI-IN-USE\\]`),
    );
    expect(existing()).toContain(id);
    haveInState(endpoint.id);
    await removed();
    expect(existing()).not.toContain(id);
  },
);
