import { setTimeout } from "node:timers/promises";
import * as dynamic from "podlumi";
import * as plugin from "podlumi/plugin";
import type { Match } from "../../sdk/emulator/service";
import { runsAll } from "../engine/runs-all";
import { clock, emulatedStack, emulator, stack } from "../harness/emulated";
import { describeLong, testLong } from "../harness/long";
import { withPlugin } from "../harness/stack";

const programOf =
  ({ Pod }: Pick<typeof plugin, "Pod">) =>
  (image: string, more: { capacityTimeout?: number } = {}) =>
  () => ({ id: new Pod("trainer", { image, gpu: { id: "NVIDIA L4" }, ...more }).id });

/** Kills the processes once, before or after the service acts on the next request that matches. */
function killAt(point: "before" | "after", match: Match, which: "provider" | "everything"): void {
  let armed = true;
  emulator.on(point, match, async () => {
    if (armed) stack.kill(which);
    armed = false;
  });
}

/** Does what the README says about killed runs, on a new machine. */
async function recover(wanted: () => { id: unknown }): Promise<unknown> {
  stack.elsewhere();
  await stack.unlock().catch(() => undefined);
  const { outputs } = await stack.up(wanted);
  await stack.clearPending();
  const { steps } = await stack.preview(wanted);
  expect(new Set(steps.map(({ op }) => op))).toEqual(new Set(["same"]));
  return outputs.id;
}

const processes = ["provider", "everything"] as const;
const faces = [
  { face: "dynamic provider", program: programOf(dynamic) },
  { face: "plugin", program: programOf(plugin) },
];
const lives = faces
  .flatMap((face) => processes.map((which) => ({ ...face, which })))
  // What is left when everything is killed does not depend on the face, and a killed provider leaves no more.
  .filter(({ face, which }) => runsAll || (face === "dynamic provider" && which === "everything"));

/** One stack that is killed at every point of a pod's life: first the provider, then everything. */
describe.each(lives)("with the $face, when $which is killed", ({ program, which }) => {
  emulatedStack("all", { env: withPlugin });

  const pods = () => emulator.service.pods.list();

  test.each(runsAll ? (["before", "after"] as const) : (["after"] as const))(
    "%s a pod was created, the next up ends with one pod",
    async (point) => {
      killAt(point, { method: "POST", path: "/pods" }, which);
      await expect(stack.up(program("org/pod:1"))).rejects.toThrow();
      const id = await recover(program("org/pod:1"));
      expect(pods()).toMatchObject([{ id, status: "RUNNING" }]);
      await stack.destroy();
      expect(emulator.service.isEmpty()).toBe(true);
    },
  );

  testLong("while a pod is waited for, the next up continues with it", async () => {
    killAt("before", { method: "GET", path: "/pods/*" }, which);
    await expect(stack.up(program("org/pod:1"))).rejects.toThrow();
    const id = await recover(program("org/pod:1"));
    expect(pods()).toMatchObject([{ id, status: "RUNNING" }]);
  });

  test("after a pod was changed, the next up has nothing to mend but the state", async () => {
    const { id: made } = (await stack.up(program("org/pod:1"))).outputs;
    killAt("after", { method: "PATCH", path: "/pods/*" }, which);
    await expect(stack.up(program("org/pod:2"))).rejects.toThrow();
    expect(await recover(program("org/pod:2"))).toBe(made);
    expect(pods()).toMatchObject([{ id: made, image: "org/pod:2", status: "RUNNING" }]);
  });

  test("after a pod was deleted, the next destroy ends with nothing", async () => {
    killAt("after", { method: "DELETE", path: "/pods/*" }, which);
    await expect(stack.destroy()).rejects.toThrow();
    await stack.unlock().catch(() => undefined);
    // A destroy waits for what is new and does not show.
    clock.pass(60_000);
    await stack.destroy();
    expect(emulator.service.isEmpty()).toBe(true);
    expect(await stack.resources()).toEqual([]);
  });
});

describe.each(faces)("with the $face, when the engine alone is killed", ({ program }) => {
  emulatedStack("each", { env: withPlugin });

  test("its provider ends, and creates nothing more", async () => {
    const { capacity, pods } = emulator.service;
    capacity.set({ gpu: "NVIDIA L4", free: 0 });
    let left: number[] = [];
    emulator.on("after", { method: "POST", path: "/pods" }, () => {
      left = stack.processes("provider");
      stack.kill("engine");
    });
    await expect(stack.up(program("org/pod:1", { capacityTimeout: 600 }))).rejects.toThrow();
    expect(left).toHaveLength(1);
    for (let looks = 0; stack.processes("provider").length > 0; looks++) {
      expect(looks).toBeLessThan(100);
      await setTimeout(100);
    }
    expect(pods.list()).toEqual([]);
  });
});

describeLong(
  "when everything is killed after a template's readme was saved, and before REST has restored what that reset",
  () => {
    emulatedStack("all");

    test("the next up leaves the template as the program says", async () => {
      const program = (readme: string) => () => {
        const { id } = new dynamic.Template("t", { image: "org/a:1", public: true, startSsh: false, readme });
        return { id };
      };
      await stack.up(program("# One"));
      killAt("after", { interface: "graphql", operation: "saveTemplate" }, "everything");
      await expect(stack.up(program("# Two"))).rejects.toThrow();
      expect(emulator.service.templates.list()).toMatchObject([{ public: false, startSsh: true }]);
      stack.elsewhere();
      await stack.unlock().catch(() => undefined);
      const id = await recover(program("# Two"));
      expect(emulator.service.templates.list()).toMatchObject([{ id, public: true, startSsh: false }]);
      expect(emulator.service.templates.readme(String(id))).toBe("# Two");
    });
  },
);
