import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { exportByPulumi } from "../../provider/core/call/own-state";
import { Run } from "../../provider/core/call/run";
import { handler } from "../../provider/core/handler";
import { definitions } from "../../provider/resources";
import type { Properties } from "../../provider/value";
import { interrupted } from "./lost-answers";
import {
  begin,
  create,
  declared,
  emulator,
  existing,
  exports,
  haveInState,
  type Kind,
  kinds,
  loseState,
  provider,
  stacks,
  urnOf,
} from "./process";

// The own stack's state is asked for once a run, and only where a create has found an object with the resource's own mark.

/** A change of each kind, in place or by a replacement. */
const changes: Record<Kind, Properties> = {
  cluster: { name: "other" },
  networkVolume: { size: 30 },
  pod: { image: "org/pod:2" },
  registryAuth: { password: "hunter23" },
  registryDelegation: { resource: "arn:aws:ecr:us-east-2:123456789012:repository/app:v2" },
  secret: { value: "hunter23" },
  serverlessEndpoint: { image: "org/worker:2" },
  template: { image: "org/worker:2" },
};

/** Checks and compares as the engine does, and then updates or replaces. Returns the object by then. */
async function changed(of: ReturnType<typeof provider>[Kind], kind: Kind, id: string, state: Properties) {
  const news = declared(kind, changes[kind]);
  const { inputs: checked = {} } = await of.check(state, news);
  const { replaces = [] } = await of.diff(id, state, checked);
  if (replaces.length === 0) return { id, ...(await of.update(id, state, checked)) };
  const { inputs: again = {} } = await of.check(undefined, news);
  const made = await of.create(again);
  await of.delete(id, state);
  return made;
}

describe("an ordinary life asks for no state", () => {
  test.each(kinds)("of a %s: create, read, change, preview without a change, delete", async (kind) => {
    const { id, outs = {} } = await begin(kind);
    const state = { ...outs, __provider: "p" };
    await provider()[kind].read(id, state);
    const next = await changed(provider()[kind], kind, id, state);
    const { outs: after = {} } = next;
    const last = provider()[kind];
    const { inputs: news = {} } = await last.check(after, declared(kind, changes[kind]));
    await last.diff(next.id, { ...after, __provider: "p" }, news);
    await provider()[kind].delete(next.id, after);
    expect(existing()).toEqual([]);
    expect(exports).toBe(0);
  });

  test.each(kinds)("of a %s beside another resource's, another stack's, and somebody's own", async (kind) => {
    await create(kind, { name: "somebodys", __providerId: undefined });
    await begin(kind, { __urn: urnOf(kind, "other") });
    await begin(kind, { __providerId: stacks.theirs });
    await begin(kind);
    expect(exports).toBe(0);
  });

  test("nor does the first preview of a stack, and an adoption", async () => {
    const { id } = await begin("pod", { __providerId: stacks.theirs });
    await provider().pod.check({}, declared("pod", { __providerId: undefined }));
    await begin("pod", { adopt: id });
    expect(exports).toBe(0);
  });
});

describe("one export tells what the state has from what a killed run has left", () => {
  // The engine checks and creates, and tells nothing of the object that it replaces.
  test.each(kinds)("a %s that the state has is replaced by a new one, as by --replace", async (kind) => {
    const old = await begin(kind);
    haveInState(old.id);
    const next = provider()[kind];
    const { id } = await begin(next, kind);
    expect(id).not.toBe(old.id);
    await next.delete(old.id, old.outs ?? {});
    expect(existing()).toEqual([id]);
    expect(exports).toBe(1);
  });

  test.each(kinds)("a %s that a killed run has left is taken over", async (kind) => {
    const left = await interrupted(kind);
    haveInState("another");
    expect((await begin(kind)).id).toBe(left);
    expect(existing()).toEqual([left]);
    expect(exports).toBe(1);
  });

  test("for all resources of a run", async () => {
    const named = ["one", "two"].map((name) => ({ __urn: urnOf("pod", name) }));
    const kept = await begin("pod", named[0]);
    const left = await interrupted("pod", named[1]);
    const volume = await interrupted("networkVolume");
    haveInState(kept.id);
    const { pod, networkVolume } = provider();
    const made = await Promise.all(named.map((one) => begin(pod, "pod", one)));
    expect(made[0]?.id).not.toBe(kept.id);
    expect(made[1]?.id).toBe(left);
    expect((await begin(networkVolume, "networkVolume")).id).toBe(volume);
    expect(exports).toBe(1);
  });

  test("also where it tells nothing: each resource that needs it fails, with the id and the ways out", async () => {
    const left = await interrupted("pod");
    loseState();
    const { pod } = provider();
    const says = new RegExp(
      `podlumi cannot read the stack's state, which may have the pod "\\S+" \\(${left}\\) with this mark\\. Put \`pulumi\` on the PATH, ` +
        `or else write adopt: "${left}" or run \`npx podlumi sweep\`.*PODLUMI-STATE-UNKNOWN`,
    );
    const { failures, inputs: checked } = await pod.check({}, declared("pod"));
    expect(failures).toEqual([{ property: "", reason: expect.stringMatching(says) }]);
    await expect(pod.create(checked)).rejects.toThrow(says);
    expect(existing()).toEqual([left]);
    // By the name of the stack, and the selected one.
    expect(exports).toBe(2);
    expect((await begin("pod", { adopt: left })).id).toBe(left);
  });
});

describe("an export", () => {
  const web = urnOf("pod");
  const resource = (id: string, more: object = {}) => ({ id, urn: urnOf("pod", "any"), ...more });
  const provides = { id: stacks.ours, urn: "urn:pulumi:dev::project::pulumi:providers:podlumi::default" };
  const creating = (urn: string, type = "creating") => ({ type, resource: { urn } });
  const exported = (resources: object[], pending_operations: object[] = []) => ({
    deployment: { resources, pending_operations },
  });

  /** What becomes of an object with the mark of the resource, by such an export. */
  async function becomes(of: (id: string, stack?: string) => unknown, config: Record<string, string> = {}) {
    const left = await interrupted("pod");
    const asked: (string | undefined)[] = [];
    const run = new Run({ ...emulator.env }, async (stack) => {
      asked.push(stack);
      return of(left, stack);
    });
    run.configure((key) => config[key]);
    const made = begin(handler(definitions.Pod, run), "pod").then(
      ({ id }) => (id === left ? "taken over" : "another one"),
      ({ message }) => String(message).match(/PODLUMI-[A-Z-]+/)?.[0],
    );
    return { what: await made, asked };
  }

  test.each<[string, string, (id: string) => unknown]>([
    ["has the object, beside the run's provider", "another one", (id) => exported([provides, resource(id)])],
    ["has it no more", "taken over", () => exported([provides])],
    ["still has it to delete", "another one", (id) => exported([provides, resource(id, { delete: true })])],
    ["only reads it (get)", "taken over", (id) => exported([provides, resource(id, { external: true })])],
    ["has the run's own create pending", "taken over", () => exported([resource("x")], [creating(web)])],
    ["has that, and the object", "another one", (id) => exported([resource(id)], [creating(web)])],
    ["is another stack's of this name", "PODLUMI-STATE-UNKNOWN", () => exported([resource("x")])],
    [
      "is another's, which creates others",
      "PODLUMI-STATE-UNKNOWN",
      () => exported([], [creating(urnOf("pod", "x"))]),
    ],
    [
      "is another's, which deletes this",
      "PODLUMI-STATE-UNKNOWN",
      () => exported([], [creating(web, "deleting")]),
    ],
    ["has no resources", "PODLUMI-STATE-UNKNOWN", () => exported([])],
    ["is none", "PODLUMI-STATE-UNKNOWN", () => undefined],
    ["is something else", "PODLUMI-STATE-UNKNOWN", () => ({ deployment: { resources: "none" } })],
  ])("that %s: %s", async (_what, expected, of) => {
    expect((await becomes(of)).what).toBe(expected);
  });

  test("is asked for by the organization, too, where the run is told it", async () => {
    const { asked } = await becomes(() => undefined, { "pulumi:organization": "acme" });
    expect(asked).toEqual(["acme/project/dev"]);
  });

  test("is otherwise asked for by the name of the stack alone", async () => {
    expect(await becomes(() => exported([provides]))).toEqual({ what: "taken over", asked: ["dev"] });
  });

  // A plugin is not told the organization.
  test.each([
    ["has another stack of that name", exported([resource("x")])],
    ["has no stack of that name", undefined],
  ])("is that of the selected stack where the user's own account %s", async (_what, byName) => {
    const selected = (id: string) => exported([provides, resource(id)]);
    const of = (id: string, stack?: string) => (stack === undefined ? selected(id) : byName);
    expect(await becomes(of)).toEqual({ what: "another one", asked: ["dev", undefined] });
  });
});

describe("the `pulumi` on the PATH", () => {
  const { PATH } = process.env;
  afterEach(() => {
    process.env.PATH = PATH;
    delete process.env.PULUMI_OPTION_STACK;
  });

  /** Puts a script in place of it. */
  const placed = (script: string) => {
    const folder = mkdtempSync(join(tmpdir(), "podlumi-"));
    writeFileSync(join(folder, "pulumi"), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, "pulumi"), 0o755);
    process.env.PATH = [folder, PATH].join(delimiter);
  };

  test("exports the stack, without the flags that the environment has for the user's own command", async () => {
    placed('printf \'{"asked":"%s","option":"%s"}\' "$*" "$PULUMI_OPTION_STACK"');
    process.env.PULUMI_OPTION_STACK = "other";
    expect(await exportByPulumi("dev")).toEqual({
      asked: "stack export --stack dev --non-interactive",
      option: "",
    });
    expect(await exportByPulumi()).toMatchObject({ asked: "stack export --non-interactive" });
  });

  test.each([
    ["fails", "exit 255"],
    ["says something else", "echo no JSON"],
  ])("that %s tells nothing", async (_what, script) => {
    placed(script);
    expect(await exportByPulumi("dev")).toBeUndefined();
  });

  test("that is not there tells nothing", async () => {
    process.env.PATH = mkdtempSync(join(tmpdir(), "podlumi-"));
    expect(await exportByPulumi("dev")).toBeUndefined();
  });
});
