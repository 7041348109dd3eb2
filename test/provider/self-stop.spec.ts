import { resourceOf } from "../../provider/core/call";
import { isSecret } from "../../provider/core/state/secret-value";
import { imported } from "../../provider/core/verbs/import";
import { pod } from "../../provider/resources/pod";
import { guardScript } from "../../provider/resources/pod/self-stop/guard";
import { mapped, type Properties } from "../../provider/value";
import { check } from "./checked";
import { begin, declared, emulator, existing, heard, provider } from "./process";

const command = { entrypoint: ["python", "-u"], cmd: ["train.py", "--name", "two words"] };
const selfStop = { after: "8h", idle: "30m" };
const guarded = { ...command, selfStop };

/** The command of the pod's container. */
const runs = (id: string) => {
  const { entrypoint, cmd } = emulator.service.pods.get(id);
  return [...entrypoint, ...cmd];
};
const guardOf = (said: string, ...parameters: string[]) => [
  "/bin/sh",
  "-c",
  guardScript,
  "podlumi-self-stop",
  said,
  ...parameters,
];
const words = [...command.entrypoint, ...command.cmd];

/** What an `up` with these inputs does to the pod of a state. */
async function up(id: string, outs: Properties = {}, changes: Properties = {}) {
  const { pod } = provider();
  const state = { ...outs, __provider: "p" };
  const { inputs } = await pod.check(state, declared("pod", changes));
  // Undefined: the engine compares the inputs.
  const { changes: differs = true, replaces } = await pod.diff(id, state, inputs);
  return { differs, replaces, outs: differs ? (await pod.update(id, state, inputs)).outs : outs };
}

/** A new run reads the pod. */
async function refreshed(id: string, outs: Properties = {}) {
  return provider().pod.read(id, { ...outs, __provider: "p" });
}

describe("a pod that stops itself", () => {
  test("runs the program's command behind the guard, and reads back as the program wrote it", async () => {
    const { id, outs } = await begin(provider().pod, "pod", guarded);
    const said = "after=8h idle=30m action=stop entrypoint=2";
    expect(runs(id)).toEqual([...guardOf(said, "28800", "1800", "stop"), ...words]);
    const all = { ...command, args: JSON.stringify(command), selfStop: { ...selfStop, action: "stop" } };
    expect(outs).toMatchObject(all);
    expect(await up(id, outs, guarded)).toMatchObject({ differs: false });
    const { props, inputs } = await refreshed(id, outs);
    expect(props).toMatchObject(all);
    expect(inputs).toMatchObject({ ...command, selfStop });
    expect(await up(id, props, guarded)).toMatchObject({ differs: false });
  });

  test("gets a changed guard, a changed command and neither in place", async () => {
    const { id, outs } = await begin(provider().pod, "pod", guarded);
    const terminated = { ...guarded, selfStop: { after: "90m", action: "terminate" } };
    const one = await up(id, outs, terminated);
    const said = "after=90m idle= action=terminate entrypoint=2";
    expect(runs(id)).toEqual([...guardOf(said, "5400", "0", "terminate"), ...words]);
    const two = await up(id, one.outs, { ...terminated, cmd: [] });
    expect(runs(id)).toEqual([...guardOf(said, "5400", "0", "terminate"), "python", "-u"]);
    expect(two.outs).toMatchObject({ entrypoint: ["python", "-u"], cmd: [] });
    const three = await up(id, two.outs, command);
    expect(runs(id)).toEqual(words);
    expect(three.outs).not.toHaveProperty("selfStop");
    expect([one, two, three].map(({ replaces }) => replaces)).toEqual([[], [], []]);
    expect(await up(id, three.outs, command)).toMatchObject({ differs: false });
    const four = await up(id, three.outs, guarded);
    const { outs: bare } = await up(id, four.outs, { args: "-v" });
    expect(emulator.service.pods.get(id)).toMatchObject({ args: "-v", entrypoint: [] });
    expect(await up(id, bare, { args: "-v" })).toMatchObject({ differs: false });
    expect(existing()).toEqual([id]);
  });

  test("keeps its guard when something else changes", async () => {
    const { id, outs } = await begin(provider().pod, "pod", guarded);
    const before = runs(id);
    await up(id, outs, { ...guarded, image: "org/pod:2" });
    expect(runs(id)).toEqual(before);
  });

  test("is adopted and taken over without a change, and told as the program's command", async () => {
    const { id } = await begin(provider().pod, "pod", guarded);
    const before = runs(id);
    const { said } = await heard(() => begin(provider().pod, "pod", guarded));
    expect(said).toContain(" as it is: it carries the mark of this resource");
    const adopted = await begin(provider().pod, "pod", { ...guarded, adopt: id });
    expect(adopted.id).toBe(id);
    expect(runs(id)).toEqual(before);
    const run = provider().run;
    const { inputs } = await imported(resourceOf(pod, run, declared("pod")), id);
    expect(inputs).toMatchObject({ ...command, selfStop });
    expect(inputs).not.toHaveProperty("args");
  });

  test("keeps the guard of an earlier release until its command changes", async () => {
    const { id, outs } = await begin(provider().pod, "pod", guarded);
    const { entrypoint } = emulator.service.pods.get(id);
    emulator.service.pods.update(id, { entrypoint: entrypoint.with(2, "exec old") });
    const { props } = await refreshed(id, outs);
    expect(await up(id, props, guarded)).toMatchObject({ differs: false });
    await up(id, props, { ...guarded, cmd: [] });
    expect(runs(id)[2]).toBe(guardScript);
  });

  test("keeps a secret of its command from its outputs, and from an error of the service", async () => {
    const secretly = { ...guarded, cmd: ["hunter22-secret"], __secrets: ["cmd"] };
    const { id, outs = {} } = await begin(provider().pod, "pod", secretly);
    expect(runs(id)).toContain("hunter22-secret");
    // The engine wraps what has the name of a secret input, and this copy.
    const { cmd, __asked, ...others } = outs;
    expect(isSecret(others.args)).toBe(true);
    expect(JSON.stringify(mapped(others, (value) => !isSecret(value) && value))).not.toContain("hunter22");
    emulator.faults.add({
      match: { method: "PATCH" },
      when: "before",
      what: { status: 400, detail: `no ${runs(id).at(-1)}` },
    });
    const refused = up(id, outs, { ...secretly, selfStop: { after: "1h" } });
    await expect(refused).rejects.toThrow(/answered 400/);
    await expect(refused).rejects.not.toThrow("hunter22");
  });

  test("is drift once it has stopped: an up after a refresh starts it again", async () => {
    const { id, outs } = await begin(provider().pod, "pod", guarded);
    emulator.service.pods.act(id, "stop");
    expect(await up(id, outs, guarded)).toMatchObject({ differs: false });
    const { props } = await refreshed(id, outs);
    expect(props).toMatchObject({ desiredStatus: "EXITED" });
    await up(id, props, guarded);
    expect(emulator.service.pods.get(id).status).toBe("RUNNING");
  });
});

test.each<[string, Properties, string, RegExp]>([
  ["no command", {}, "selfStop", /^needs the command of the container in entrypoint, such as entrypoint: /],
  ["a command as text", { args: "-v" }, "selfStop", / in place of args, and its arguments in cmd, /],
  ["arguments of the image's entrypoint", { cmd: ["-v"] }, "selfStop", /such as the image's own before this/],
  [
    "a template's arguments",
    { entrypoint: ["sh"], templateId: "tpl1" },
    "selfStop",
    /^would take the place of the template's cmd: write that in cmd, or cmd: \[\]$/,
  ],
  ["a lock", { ...command, locked: true }, "locked", /^keeps the pod from stopping itself: /],
  ["neither time", { ...command, selfStop: {} }, "selfStop", /^needs after, idle, or both/],
  ["too short a time", { ...command, selfStop: { after: "299s" } }, "selfStop.after", /^must be at least 5m/],
  ["too short an idle time", { ...command, selfStop: { idle: "9m" } }, "selfStop.idle", /at least 10m/],
  ["no time", { ...command, selfStop: { after: "8 hours" } }, "selfStop.after", /a time such as "90m"/],
  [
    "a GPU that it cannot watch",
    { ...command, gpu: { id: "AMD Instinct MI300X OAM" } },
    "selfStop.idle",
    /^cannot tell whether an AMD GPU works: write after instead$/,
  ],
  ["a variable's name", { ...command, env: { "a.b": "1" } }, 'env["a.b"]', /^is lost beside selfStop: /],
])(
  "selfStop with %s fails in the preview, and says what to write",
  async (_what, changes, property, reason) => {
    const failures = await check("pod", { selfStop, ...changes });
    expect(failures).toContainEqual(
      expect.objectContaining({ property, reason: expect.stringMatching(reason) }),
    );
  },
);
