import { requiredTags } from "../../sdk/policy/tags";
import { violations } from "./violations";

const policy = requiredTags({ keys: ["team", "env"], allowed: { env: ["dev", "prod"] } });

test.each(["Pod", "ServerlessEndpoint", "Cluster", "NetworkVolume"] as const)(
  "a %s without a tag, or with another value of it, violates a policy of tags",
  async (kind) => {
    expect(await violations(policy, kind, { tags: { team: "ml", env: "prod", app: "x" } })).toEqual([]);
    expect(await violations(policy, kind, { tags: { team: "", env: "test" } })).toEqual([
      'tags.env is "test", which is not allowed: choose from dev, prod',
    ]);
    expect(await violations(policy, kind, {})).toEqual([
      "tags.team is missing",
      "tags.env is missing: choose from dev, prod",
    ]);
  },
);

test("what can have no tags needs none", async () => {
  expect(await violations(policy, "Template", {})).toEqual([]);
});
