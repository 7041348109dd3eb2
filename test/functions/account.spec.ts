import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";
import { emulated, requestsOf } from "./emulated";

describe("a key with all scopes", () => {
  const account = emulated({ balance: 42.5, workersQuota: 10, spendLimit: 80 });

  test("reads whose the account is, its balance and its limits", async () => {
    account.emulator.service.pods.create({ name: "p", image: "i", gpu: { id: "NVIDIA L4", count: 1 } });
    expect(await podlumi.getAccount()).toEqual({
      id: account.emulator.service.userId,
      email: "user@example.com",
      balance: 42.5,
      billingMode: "PREPAID",
      spendRate: { limit: 80, current: expect.any(Number) },
      serverlessWorkers: { limit: 10, current: 0 },
    });
  });

  test("reads the public keys", async () => {
    expect(await podlumi.getSshKeys()).toEqual([]);
    account.emulator.service.sshKeys.replace(["ssh-ed25519 AAAA ada@example.com"]);
    expect(await podlumi.getSshKeys()).toEqual(["ssh-ed25519 AAAA ada@example.com"]);
  });

  test("is not taken from elsewhere beside a misspelt one of the stack", async () => {
    pulumi.runtime.setAllConfig({ "podlumi:apiKye": "rpa_theirs" });
    try {
      await expect(podlumi.getAccount()).rejects.toThrow(
        /^getAccount: unknown configuration key podlumi:apiKye; did you mean "podlumi:apiKey"\? .*\[PODLUMI-CONFIGURATION\]$/,
      );
    } finally {
      pulumi.runtime.setAllConfig({});
    }
  });

  test("what goes wrong otherwise is an error, and no answer without what was asked for", async () => {
    const what = { answer: { status: 401, body: {} } };
    account.emulator.faults.add({ match: { path: "/billing/balance" }, when: "before", what });
    await expect(podlumi.getAccount()).rejects.toThrow(/^getAccount: .* answered 401/);
  });
});

describe.each([
  [
    "a key without scopes",
    { scopes: [] },
    { id: expect.stringMatching(/^user\d+emulator$/), email: "user@example.com" },
  ],
  ["an older service", { features: { accountPaths: false } }, {}],
])("%s", (_whose, options, whose) => {
  const account = emulated(options);

  test("tells what it can, by one request each", async () => {
    expect(await podlumi.getAccount()).toEqual({ ...whose, spendRate: {}, serverlessWorkers: {} });
    for (const path of ["/account", "/account/limits", "/billing/balance"])
      expect(requestsOf(account, path)).toHaveLength(1);
  });
});
