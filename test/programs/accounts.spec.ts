import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";
import { version } from "../../provider/version";
import { type Emulator, startEmulator } from "../../sdk/emulator/service";
import { PassingClock } from "../harness/account";
import { testLong } from "../harness/long";
import { TestStack } from "../harness/stack";

const clock = new PassingClock();
let ours: Emulator;
let theirs: Emulator;
let stack: TestStack;

beforeAll(async () => {
  ours = await startEmulator({ apiKey: "our-key", clock });
  theirs = await startEmulator({ apiKey: "their-key", clock });
  stack = await TestStack.create(ours.env);
});
afterAll(async () => {
  await Promise.all([ours.close(), theirs.close()]);
  stack.remove();
});

const volume = { size: 10, dataCenter: "EU-RO-1" };

/** A component that a team shares between its programs. */
class Storage extends pulumi.ComponentResource {
  readonly volume: podlumi.NetworkVolume;
  constructor(name: string, opts?: pulumi.ComponentResourceOptions) {
    super("specification:index:Storage", name, {}, opts);
    this.volume = new podlumi.NetworkVolume(
      `${name}-data`,
      { ...volume, name: `${name}-data` },
      { parent: this },
    );
  }
}

function program(apiKey: string, lender?: "ours" | "theirs again") {
  return () => {
    const { apiUrl, graphqlUrl } = theirs;
    const account = new podlumi.Provider("theirs", { apiKey, apiUrl, graphqlUrl });
    new podlumi.NetworkVolume("ours", { ...volume, name: "ours" });
    const again = new podlumi.Provider("again", { apiKey, apiUrl, graphqlUrl });
    const provider = lender === "theirs again" ? again : account;
    new podlumi.NetworkVolume("lent", { ...volume, name: "lent" }, lender === "ours" ? {} : { provider });
    new Storage("component", { providers: [account] });
  };
}

test("a provider gives its resources, and components that hold some, another account", async () => {
  await stack.up(program("their-key"));
  expect(ours.service.volumes.list().map(({ name }) => name)).toEqual(["ours"]);
  expect(
    theirs.service.volumes
      .list()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(["component-data", "lent"]);
  expect(stack.leftBehind()).not.toContain("their-key");
});

test("a rotated key changes no resource", async () => {
  const { steps } = await stack.preview(program("their-new-key"));
  expect(new Set(steps.map(({ op }) => op))).toEqual(new Set(["same"]));
});

testLong(
  "another provider of the same account takes a resource as it is, and is not asked for it again",
  async () => {
    const moved = program("their-key", "theirs again");
    for (const run of [() => stack.preview(moved), () => stack.up(moved)])
      expect((await run()).steps.every(({ op }) => op === "same" || op === "create")).toBe(true);
    const asked = theirs.requests.length;
    await stack.up(moved);
    expect(theirs.requests).toHaveLength(asked);
  },
);

testLong(
  "what gets the provider of another account stays in the state, whatever a refresh or a destroy finds there",
  async () => {
    clock.pass(60_000);
    const refused = (verb: string) =>
      new RegExp(
        `could not ${verb} network volume "lent" .* the API key is of the account \\w+, not of \\w+, which has it.*\\[PODLUMI-OTHER-ACCOUNT\\]`,
      );
    await expect(stack.refresh(program("their-key", "ours"))).rejects.toThrow(refused("read"));
    await stack.up(program("their-key", "ours"));
    await expect(stack.destroy()).rejects.toThrow(refused("delete"));
    expect(theirs.service.volumes.list().map(({ name }) => name)).toEqual(["lent"]);
    await stack.up(program("their-key"));
  },
);

test.each([
  ["empty", ""],
  ["of a variable that is not set", undefined],
])("a provider whose key is %s is an error, and not the default account", async (_what, apiKey) => {
  const program = () => {
    const account = new podlumi.Provider("forgotten", { apiKey });
    new podlumi.NetworkVolume("wrong", volume, { provider: account });
  };
  await expect(stack.preview(program)).rejects.toThrow(
    /podlumi:apiKey \(apiKey of a Provider\) is empty: give it a value/,
  );
});

testLong("a provider whose key has a misspelt name is an error, and not the default account", async () => {
  const misspelt = { apiKye: "their-key", apiUrl: undefined };
  const program = () => {
    const account = new podlumi.Provider("forgotten", { ...misspelt });
    new podlumi.NetworkVolume("wrong", volume, { provider: account });
  };
  await expect(stack.preview(program)).rejects.toThrow(
    /unknown (argument|configuration key podlumi:)\s?apiKye; did you mean "(podlumi:)?apiKey"/,
  );
});

test("a misspelt key of the stack is an error, and not the default account, also where each provider is the program's own", async () => {
  const other = await TestStack.create(ours.env, { "podlumi:apiKye": { value: "their-key" } });
  const program = () => {
    const account = new podlumi.Provider("forgotten");
    new podlumi.NetworkVolume("wrong", volume, { provider: account });
  };
  await expect(other.preview(program)).rejects.toThrow(
    /unknown configuration key podlumi:apiKye; did you mean "podlumi:apiKey"/,
  );
  other.remove();
});

testLong(
  "the version of a provider, which SST writes into the configuration of each stack, is no misspelt key",
  async () => {
    const other = await TestStack.create(ours.env, {
      "podlumi:version": { value: version },
      "podlumi:apiKey": { value: String(ours.env.RUNPOD_API_KEY) },
    });
    const before = ours.service.volumes.list().length;
    await other.up(() => void new podlumi.NetworkVolume("data", volume));
    expect(ours.service.volumes.list()).toHaveLength(before + 1);
    await other.destroy();
    other.remove();
  },
);

const nothing: pulumi.Output<string | undefined> = pulumi.output(undefined);

testLong.each<[string, pulumi.Input<string | undefined>]>([
  ["an output of undefined", nothing],
  ["an output of null", pulumi.output(null as unknown as undefined)],
  ["a secret of undefined", pulumi.secret(nothing)],
  ["a promise of undefined", Promise.resolve(undefined)],
])("a provider whose key is %s is an error, and not the default account", async (_what, apiKey) => {
  const program = () => {
    const account = new podlumi.Provider("forgotten", { apiKey });
    new podlumi.NetworkVolume("wrong", volume, { provider: account });
  };
  await expect(stack.preview(program)).rejects.toThrow(
    /podlumi:apiKey \(apiKey of a Provider\) is empty: give it a value/,
  );
});

testLong(
  "a key that only the up knows to be missing creates nothing in the default account either",
  async () => {
    const program = () => {
      const template = new podlumi.Template("template", { image: "org/app:1" });
      const account = new podlumi.Provider("forgotten", {
        apiKey: template.registry.apply((id) => id ?? undefined),
      });
      new podlumi.NetworkVolume("wrong", volume, { provider: account });
    };
    await stack.preview(program);
    await expect(stack.up(program)).rejects.toThrow(
      /podlumi:apiKey \(apiKey of a Provider\) is empty: give it a value/,
    );
    expect(ours.service.volumes.list().map(({ name }) => name)).toEqual(["ours"]);
  },
);

testLong(
  "an address of a provider that resolves to undefined is the default one, and so is what confirms",
  async () => {
    const { apiUrl, graphqlUrl } = theirs;
    const config = { "podlumi:apiUrl": { value: apiUrl }, "podlumi:graphqlUrl": { value: graphqlUrl } };
    const other = await TestStack.create(ours.env, config);
    const args = { apiKey: "their-key", apiUrl: nothing, graphqlUrl: nothing, confirmDataLoss: nothing };
    const { steps } = await other.preview(() => {
      const account = new podlumi.Provider("theirs", args);
      new podlumi.NetworkVolume("lent", volume, { provider: account });
    });
    expect(steps.find(({ name }) => name === "lent")?.op).toBe("create");
    other.remove();
  },
);

testLong(
  "an address that the stack keeps as a secret stays one with each provider, and an argument in its place does not become one",
  async () => {
    const { apiUrl, queueUrl } = theirs;
    const hidden = [apiUrl, queueUrl].map((url) => url.replace("127.0.0.1", "localhost"));
    const other = await TestStack.create(theirs.env, {
      "podlumi:apiUrl": { value: String(hidden[0]), secret: true },
      "podlumi:queueUrl": { value: String(hidden[1]), secret: true },
    });
    const args = [{}, { queueUrl: nothing }, { queueUrl: pulumi.output(queueUrl) }];
    const program = () => {
      const providers: (podlumi.Provider | undefined)[] = args.map(
        (one, index) => new podlumi.Provider(`provider ${index}`, one),
      );
      for (const provider of [undefined, ...providers])
        new podlumi.NetworkVolume(`of ${providers.indexOf(provider)}`, volume, provider && { provider });
    };
    await other.up(program);
    expect(other.leftBehind()).not.toContain("localhost:");
    expect(other.leftBehind()).toContain(`"${queueUrl}"`);
    const { printed } = await other.preview(program);
    expect(printed).toMatch(/\d+ unchanged/);
    expect(printed).not.toMatch(/to update/);
    await other.destroy();
    other.remove();
  },
);

test("each account is emptied by destroy", async () => {
  await stack.destroy();
  expect([ours.service.isEmpty(), theirs.service.isEmpty()]).toEqual([true, true]);
});

testLong(
  "with the key of another account, a refresh, a destroy and a new resource fail, and the state stays as it is",
  async () => {
    const own = await TestStack.create(ours.env);
    const program = () => void new podlumi.NetworkVolume("kept", volume);
    await own.up(program);
    // An object is waited for while lists may still lack it.
    clock.pass(60_000);
    const elsewhere = await own.with(theirs.env);
    const { userId } = theirs.service;
    const refused = new RegExp(
      `the API key is of the account ${userId}, not of ${ours.service.userId}, .*\\[PODLUMI-OTHER-ACCOUNT\\]`,
    );
    await expect(elsewhere.refresh()).rejects.toThrow(refused);
    await expect(elsewhere.destroy()).rejects.toThrow(refused);
    const more = () => {
      // A run tells of the states as it comes to their resources.
      const dependsOn = new podlumi.NetworkVolume("kept", volume);
      new podlumi.NetworkVolume("more", volume, { dependsOn });
    };
    await expect(elsewhere.preview(more)).rejects.toThrow(refused);
    await expect(elsewhere.up(more)).rejects.toThrow(refused);
    expect(theirs.service.isEmpty()).toBe(true);
    const { steps } = await own.preview(program);
    expect(new Set(steps.map(({ op }) => op))).toEqual(new Set(["same"]));
    await own.destroy();
    expect(ours.service.volumes.list().map(({ name }) => name)).not.toContainEqual(
      expect.stringMatching(/^kept/),
    );
    own.remove();
  },
);

testLong(
  "objects get a provider of their own, and then the stack's key may be another account's",
  async () => {
    const own = await TestStack.create(ours.env);
    await own.up(() => void new podlumi.NetworkVolume("kept", volume));
    const elsewhere = await own.with(theirs.env);
    const { apiUrl, graphqlUrl } = ours;
    const moved = () => {
      const provider = new podlumi.Provider("first", { apiKey: "our-key", apiUrl, graphqlUrl });
      new podlumi.NetworkVolume("kept", volume, { provider });
    };
    const both = () => {
      moved();
      new podlumi.NetworkVolume("new", volume);
    };
    await elsewhere.up(moved);
    await elsewhere.up(both);
    expect(theirs.service.volumes.list().map(({ name }) => name)).toEqual([expect.stringMatching(/^new-/)]);
    await elsewhere.destroy();
    expect(theirs.service.isEmpty()).toBe(true);
    own.remove();
  },
);
