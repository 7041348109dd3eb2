import { RegistryAuth, RegistryDelegation, Secret } from "podlumi";
import type { EmulatorOptions } from "../../sdk/emulator/service";
import { emulatedStack, emulator, stack } from "../harness/emulated";
import { describeLong } from "../harness/long";
import { type Drift, type Edit, type LifeCycle, lifeCycle } from "./life-cycle";

const rename: Edit = {
  title: "another name",
  to: { name: "renamed" },
  op: "replace",
  shows: ["name"],
  holds: { name: "renamed" },
};

const login = {
  kind: "registry credential",
  collection: "registries",
  resource: RegistryAuth,
  base: { username: "robot", password: "correct horse" },
  drifts: [],
};

const registryAuth: LifeCycle = {
  ...login,
  full: { args: { name: "ghcr" }, holds: { name: "ghcr" } },
  edits: [
    rename,
    { title: "another user name", to: { username: "droid" }, op: "update" },
    { title: "another password", to: { password: "battery staple" }, op: "update" },
  ],
};

const resource = "arn:aws:ecr:us-east-2:123456789012:repository/acme/worker:v1";

const registryDelegation: LifeCycle = {
  kind: "registry delegation",
  collection: "registries/delegations",
  resource: RegistryDelegation,
  base: { resource },
  look({ service }, id) {
    const found = service.delegations.list().find((delegation) => delegation.id === id);
    return found && { ...found };
  },
  full: {
    args: { name: "ecr" },
    holds: { name: "ecr", awsUser: "123456789012", repository: "acme/worker", tag: "v1" },
  },
  edits: [
    rename,
    {
      title: "another image",
      to: { resource: resource.replace("v1", "v2") },
      op: "replace",
      shows: ["resource"],
      holds: { tag: "v2" },
    },
  ],
  drifts: [],
};

const newValue: Omit<Edit, "op"> = {
  title: "another value",
  to: { value: "battery staple" },
  holds: { value: "battery staple" },
};

const descriptions: readonly Edit[] = [
  {
    title: "a description",
    to: { description: "of CI" },
    op: "update",
    shows: ["description"],
    holds: { description: expect.stringMatching(/^of CI podlumi: /) },
  },
  {
    title: "no description any more",
    from: { description: "of CI" },
    to: {},
    op: "update",
    shows: ["description"],
    holds: { description: expect.stringMatching(/^podlumi: /) },
  },
];

const theirValue: Drift = {
  title: "a value",
  behind: { value: "theirs" },
  shows: ["value"],
  holds: { value: "correct horse" },
};

const secret = (
  features: EmulatorOptions["features"],
  edits: readonly Edit[],
  drifts: readonly Drift[] = [],
): LifeCycle => ({
  kind: "secret",
  collection: "account/secrets",
  resource: Secret,
  base: { value: "correct horse" },
  full: {
    args: { name: "hf/token.v1", description: "of CI" },
    holds: { name: "hf/token.v1", value: "correct horse" },
  },
  edits,
  drifts,
  look({ service }, id) {
    const found = service.secrets.list().find((candidate) => candidate.id === id);
    return found && { ...found, value: service.secrets.valueOf(id) };
  },
  lose: ({ service }, id) => service.secrets.delete(id) ?? true,
  emulator: { features },
});

// Without GraphQL, since a secret is used over REST where the service has that.
lifeCycle(
  registryAuth,
  registryDelegation,
  secret({ graphql: false }, [rename, { ...newValue, op: "update" }, ...descriptions], [theirValue]),
);

describeLong("where REST has no secrets, over GraphQL", () => {
  lifeCycle(secret({ restSecrets: false, graphqlExtras: true }, [rename, { ...newValue, op: "replace" }]));
});

describeLong("where neither REST nor GraphQL can change a login", () => {
  lifeCycle({
    ...login,
    full: {
      args: {},
      holds: { name: expect.stringMatching(/^full-(?:plugin-)?[0-9a-f]{12}$/) },
    },
    edits: [
      { title: "another user name", to: { username: "droid" }, op: "replace" },
      { title: "another password", to: { password: "battery staple" }, op: "replace" },
    ],
    emulator: { features: { registryUpdate: false, graphqlExtras: false } },
  });
});

describeLong("a registry delegation", () => {
  emulatedStack("all");

  test("the service's 400 ends a deletion well when the delegation is gone, and badly when it is there", async () => {
    const { delegations } = emulator.service;
    await stack.up(() => new RegistryDelegation("ecr", { resource }));
    const match = { method: "DELETE", path: "/registries/delegations/*" };
    const what = { status: 400, detail: "not found or access denied" };
    emulator.faults.add({ match, when: "before", what, times: 2 });
    await expect(stack.destroy()).rejects.toThrow(/answered 400 Bad Request: not found or access denied/);
    expect((await stack.resources()).at(-1)?.inputs).toMatchObject({ resource });

    for (const { id } of delegations.list()) delegations.delete(id);
    await stack.destroy();
    expect(await stack.resources()).toEqual([]);
    expect(emulator.faults.injected).toHaveLength(2);
  });
});
