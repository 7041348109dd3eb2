import { setTimeout } from "node:timers/promises";
import * as dynamic from "podlumi";
import * as plugin from "podlumi/plugin";
import type { Match } from "../../sdk/emulator/service";
import { runsAll } from "../engine/runs-all";
import { emulatedStack, emulator, stack } from "../harness/emulated";
import { withPlugin } from "../harness/stack";

const creates: Match = { method: "POST", path: "/pods" };
const changes: Match = { method: "PATCH", path: "/pods/*" };
const deletes: Match = { method: "DELETE", path: "/pods/*" };
const waits: Match = { method: "GET", path: "/pods/*" };

interface Declared {
  readonly image: string;
  readonly gpu: string;
}
const first: Declared = { image: "org/pod:1", gpu: "NVIDIA L4" };

/** A change of one resource of the program, and every moment in it at which somebody may press Ctrl-C. */
const edits: {
  readonly title: string;
  readonly from?: Declared;
  readonly to?: Declared;
  readonly phases: readonly (readonly ["before" | "after", Match])[];
}[] = [
  {
    title: "a create",
    to: first,
    phases: [
      ["before", creates],
      ["after", creates],
      ["before", waits],
    ],
  },
  {
    title: "an update",
    from: first,
    to: { ...first, image: "org/pod:2" },
    phases: [
      ["before", changes],
      ["after", changes],
      ["before", waits],
    ],
  },
  {
    title: "a replacement",
    from: first,
    to: { ...first, gpu: "NVIDIA A40" },
    phases: [
      ["before", creates],
      ["after", creates],
      ["before", waits],
      ["before", deletes],
      ["after", deletes],
    ],
  },
  {
    title: "a delete",
    from: first,
    phases: [
      ["before", deletes],
      ["after", deletes],
    ],
  },
];

/** `npm test` has the ends of the requests of a replacement, which creates and deletes. */
const table = edits.flatMap(({ phases, ...edit }) =>
  phases
    .map(([point, match]) => ({ ...edit, point, match, during: `${point} a ${match.method}` }))
    .filter(({ title, point }) => runsAll || (title === "a replacement" && point === "after")),
);

// The dynamic provider never hears of Ctrl-C, so its table is the engine's matter.
const faces: [string, Pick<typeof plugin, "Pod">][] = runsAll
  ? [
      ["dynamic provider", dynamic],
      ["plugin", plugin],
    ]
  : [["plugin", plugin]];

/** One stack with a resource for each line of the table. */
describe.each(faces)("Ctrl-C with the %s", (_face, { Pod }) => {
  emulatedStack("all", { env: withPlugin, timings: { starting: 1_000 } });

  const declared = new Map<string, Declared>();
  const program = () => {
    for (const [name, { image, gpu }] of declared) new Pod(name, { image, gpu: { id: gpu } });
  };
  const declare = (name: string, args: Declared | undefined) =>
    args === undefined ? declared.delete(name) : declared.set(name, args);

  beforeAll(async () => {
    for (const [index, { from }] of table.entries()) declare(`p${index}`, from);
    await stack.up(program);
  });

  const pods = () => emulator.service.pods.list();
  const made = () => emulator.requests.filter(({ method, path }) => method === "POST" && path === "/v2/pods");

  /** The state has every pod that bills, and nothing else. */
  async function agrees(): Promise<void> {
    const all = (await stack.resources()).filter(({ type }) => /podlumi:(index:)?Pod$/.test(type));
    expect(all.map(({ id }) => id).sort()).toEqual(
      pods()
        .map(({ id }) => id)
        .sort(),
    );
  }

  test.each(table.map((line, index) => ({ ...line, name: `p${index}` })))(
    "in $title, $during: state and account agree, and the next up continues",
    async ({ name, from, to, point, match }) => {
      const before = made().length;
      declare(name, to);
      let pressed = false;
      const stop = emulator.on(point, match, async () => {
        if (pressed) return;
        pressed = true;
        stack.interrupt();
        // The engine takes a moment to tell the provider.
        await setTimeout(300);
      });
      await stack.up(program).catch(() => undefined);
      stop();
      expect(pressed).toBe(true);
      await agrees();

      await stack.up(program);
      await agrees();
      expect(made().length - before).toBe(to !== undefined && to.gpu !== from?.gpu ? 1 : 0);
      const held = pods().filter((pod) => pod.name.startsWith(`${name}-`));
      const wanted = { status: "RUNNING", image: to?.image, gpu: { id: to?.gpu } };
      expect(held).toMatchObject(to === undefined ? [] : [wanted]);
    },
  );

  test("after all that, nothing changes any more, and a destroy leaves nothing", async () => {
    expect((await stack.preview(program)).steps.filter(({ op }) => op !== "same")).toEqual([]);
    await stack.destroy();
    expect(emulator.service.isEmpty()).toBe(true);
  });
});
