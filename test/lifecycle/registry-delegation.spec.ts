import { RegistryDelegation } from "podlumi";
import { type Emulator, startEmulator } from "../emulator";
import { TestStack } from "../harness/stack";
import { fast, lifeCycle } from "./life-cycle";

const resource = "arn:aws:ecr:us-east-2:123456789012:repository/acme/worker:v1";
const look = ({ service }: Emulator, id: string) => {
  const found = service.delegations.list().find((delegation) => delegation.id === id);
  return found && { ...found };
};

lifeCycle({
  kind: "registry delegation",
  collection: "registries/delegations",
  resource: RegistryDelegation,
  base: { resource },
  look,
  full: {
    args: { name: "ecr" },
    holds: { name: "ecr", awsUser: "123456789012", repository: "acme/worker", tag: "v1" },
  },
  edits: [
    {
      title: "another name",
      to: { name: "renamed" },
      op: "replace",
      shows: ["name"],
      holds: { name: "renamed" },
    },
    {
      title: "another image",
      to: { resource: resource.replace("v1", "v2") },
      op: "replace",
      shows: ["resource"],
      holds: { tag: "v2" },
    },
  ],
  drifts: [],
});

describe("where the service says 400 of a delegation", () => {
  let emulator: Emulator;
  let stack: TestStack;

  beforeEach(async () => {
    emulator = await startEmulator(fast);
    stack = await TestStack.create(emulator.env);
    await stack.up(() => new RegistryDelegation("ecr", { resource }));
    const match = { method: "DELETE", path: "/registries/delegations/*" };
    emulator.faults.add({
      match,
      when: "before",
      what: { status: 400, detail: "not found or access denied" },
    });
  });
  afterEach(async () => {
    await emulator.close();
    stack.remove();
  });

  test("that is gone, it is deleted", async () => {
    const [delegation] = emulator.service.delegations.list();
    emulator.service.delegations.delete(delegation?.id ?? "");
    await stack.destroy();
    expect(await stack.resources()).toEqual([]);
  });

  test("that is still there, the deletion fails and it stays in the state", async () => {
    await expect(stack.destroy()).rejects.toThrow(/answered 400 Bad Request: not found or access denied/);
    expect((await stack.resources()).at(-1)?.inputs).toMatchObject({ resource });
    await stack.destroy();
    expect(emulator.service.isEmpty()).toBe(true);
  });
});
