import { RegistryAuth } from "podlumi";
import { describeLong } from "../harness/long";
import { lifeCycle } from "./life-cycle";

const base = { username: "robot", password: "correct horse" };

lifeCycle({
  kind: "registry credential",
  collection: "registries",
  resource: RegistryAuth,
  base,
  full: { args: { name: "ghcr" }, holds: { name: "ghcr" } },
  edits: [
    {
      title: "another name",
      to: { name: "renamed" },
      op: "replace",
      shows: ["name"],
      holds: { name: "renamed" },
    },
    { title: "another user name", to: { username: "droid" }, op: "update" },
    { title: "another password", to: { password: "battery staple" }, op: "update" },
  ],
  drifts: [],
});

describeLong("where neither REST nor GraphQL can change a login", () => {
  lifeCycle({
    kind: "registry credential",
    collection: "registries",
    resource: RegistryAuth,
    base,
    full: {
      args: {},
      holds: { name: expect.stringMatching(/^full-(?:plugin-)?[0-9a-f]{12}$/) },
    },
    edits: [
      { title: "another user name", to: { username: "droid" }, op: "replace" },
      { title: "another password", to: { password: "battery staple" }, op: "replace" },
    ],
    drifts: [],
    emulator: { features: { registryUpdate: false, graphqlExtras: false } },
  });
});
