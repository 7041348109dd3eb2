import { RegistryDelegation } from "podlumi";
import type { Emulator } from "../../sdk/emulator/service";
import { emulatedStack, emulator, stack } from "../harness/emulated";
import { testLong } from "../harness/long";
import { lifeCycle } from "./life-cycle";

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

describe("a registry delegation", () => {
  emulatedStack("all");

  testLong(
    "the service's 400 ends a deletion well when the delegation is gone, and badly when it is there",
    async () => {
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
    },
  );
});
