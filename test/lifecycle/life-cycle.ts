import type { CustomResource, CustomResourceOptions } from "@pulumi/pulumi";
import { ofPlugin } from "../../sdk/plugin/face";
import { type Emulator, type EmulatorOptions, startEmulator } from "../emulator";
import { fast, PassingClock, patch, send } from "../harness/account";
import { type Run, TestStack, withPlugin } from "../harness/stack";
import type { Step } from "../harness/step";

type Args = Record<string, unknown>;
type Object = Record<string, unknown>;

/** One edit of a program, and its expected effect. */
export interface Edit {
  readonly title: string;
  /** Arguments before the edit, added to the base; `to` has those after. Undefined removes an argument of the base. */
  readonly from?: Args;
  readonly to: Args;
  readonly op: "update" | "replace" | "same";
  /** The properties that the preview shows as different, and no others. */
  readonly shows?: readonly string[];
  /** What the service must have afterwards. */
  readonly holds?: Object;
}

/** A change that another client makes to an object. A refresh must show it, and the next up must undo it. */
export interface Drift {
  readonly title: string;
  readonly args?: Args;
  /** The change: a body for the service's PATCH, or a function. */
  readonly behind: Object | ((emulator: Emulator, id: string) => unknown);
  /** The properties that the refresh shows as different, and no others. */
  readonly shows: readonly string[];
  /** What the service must have after the up. */
  readonly holds: Object;
}

/** The life of a kind of resource, as a table of tests. */
export interface LifeCycle {
  readonly kind: string;
  /** The REST v2 collection from which the tests read the objects. */
  readonly collection: string;
  readonly resource: new (name: string, args: never, opts?: CustomResourceOptions) => CustomResource;
  readonly base: Args;
  /** A resource with every argument, and what the service must then have. */
  readonly full: { readonly args: Args; readonly holds: Object };
  readonly edits: readonly Edit[];
  readonly drifts: readonly Drift[];
  /** For kinds that REST cannot read: reads an object. `lose` deletes one, as another client would. */
  readonly look?: (emulator: Emulator, id: string) => Object | undefined;
  readonly lose?: (emulator: Emulator, id: string) => unknown;
  /** Makes objects that must exist first. The tables refer to their ids by name: `"$volume"`. */
  readonly prepare?: (emulator: Emulator) => Record<string, { id: string }>;
  readonly emulator?: EmulatorOptions;
}

/**
 * Runs the specifications of a kind on the real engine: many resources in one stack, so that few runs show much.
 * `full` has every argument, each edit is made to one of `e0`, `e1` …, each drift happens to one of `r0`, `r1` …
 */
export function lifeCycle(cycle: LifeCycle): void {
  ofFace("dynamic provider", cycle.resource, cycle);
  ofFace("plugin", ofPlugin(cycle.resource), cycle);
}

function ofFace(face: string, Class: LifeCycle["resource"], cycle: LifeCycle): void {
  const { kind, collection, base, edits, drifts } = cycle;
  const lost = `r${drifts.length}`;
  let emulator: Emulator;
  let stack: TestStack;
  let prepared: Record<string, { id: string }>;

  /** A table's entry, with references like `"$volume"` replaced by ids. */
  const filled = <T>(entry: T): T => {
    if (typeof entry === "string" && entry.startsWith("$")) return prepared[entry.slice(1)]?.id as T;
    if (Array.isArray(entry)) return entry.map(filled) as T;
    if (typeof entry !== "object" || entry === null || "asymmetricMatch" in entry) return entry;
    return Object.fromEntries(Object.entries(entry).map(([key, value]) => [key, filled(value)])) as T;
  };

  /** The program before (`from`) or after (`to`) its edits. */
  const program = (side: "from" | "to") => () => {
    const declared: Record<string, Args> = { full: cycle.full.args, [lost]: {} };
    for (const [index, edit] of edits.entries()) declared[`e${index}`] = edit[side] ?? {};
    for (const [index, { args }] of drifts.entries()) declared[`r${index}`] = args ?? {};
    return Object.fromEntries(
      Object.entries(declared).map(([name, args]) => {
        const given = Object.entries({ ...base, ...args }).filter(([, value]) => value !== undefined);
        return [name, new Class(name, filled(Object.fromEntries(given)) as never).id];
      }),
    );
  };

  const held = async (id: unknown): Promise<Object> => {
    if (cycle.look) {
      const object = cycle.look(emulator, String(id));
      return { http: object === undefined ? 404 : 200, ...object };
    }
    const answer = await fetch(`${emulator.apiUrl}/${collection}/${id}`, {
      headers: { authorization: "Bearer key" },
    });
    return { http: answer.status, ...((await answer.json()) as Object) };
  };

  describe(`a ${kind} of the ${face}`, () => {
    let created: Run;
    let unchanged: Run;

    const clock = new PassingClock();
    beforeAll(async () => {
      emulator = await startEmulator({ ...fast, clock, ...cycle.emulator });
      stack = await TestStack.create(
        { ...emulator.env, ...withPlugin },
        { "podlumi:confirmDataLoss": { value: "all" } },
      );
      prepared = cycle.prepare?.(emulator) ?? {};
      created = await stack.up(program("from"));
      unchanged = await stack.preview(program("from"));
    });
    afterAll(async () => {
      await emulator.close();
      stack.remove();
    });

    test("is created with every argument", async () => {
      expect(new Set(ops(created))).toEqual(new Set(["create"]));
      expect(await held(created.outputs.full)).toMatchObject(filled(cycle.full.holds));
    });

    test("does not change in the next preview", () => {
      expect(new Set(ops(unchanged))).toEqual(new Set(["same"]));
    });

    describe("that is edited", () => {
      let preview: Run;
      let after: Run;
      let settled: Run;

      beforeAll(async () => {
        preview = await stack.preview(program("to"));
        after = await stack.up(program("to"));
        settled = await stack.preview(program("to"));
      });

      test.each(edits.map((edit, index) => ({ ...edit, name: `e${index}` })))(
        "$title: $op",
        async ({ name, op, to, shows, holds }) => {
          const announced = stepsOf(preview, name);
          expect(verb(announced)).toBe(op);
          expect(verb(stepsOf(after, name))).toBe(op);
          if (shows) {
            // A replacement gets a new name when podlumi chooses the name.
            const named = "name" in { ...base, ...to } || op !== "replace";
            const shown = named ? shows : [...shows, "name"].toSorted();
            expect(announced.find((step) => step.op === op)?.differs.toSorted()).toEqual(shown);
          }
          expect(after.outputs[name] === created.outputs[name]).toBe(op !== "replace");
          if (op === "replace") expect(await held(created.outputs[name])).toMatchObject({ http: 404 });
          if (holds) expect(await held(after.outputs[name])).toMatchObject(filled(holds));
        },
      );

      test("does not change any more", () => {
        expect(settled.steps.filter(({ op }) => op !== "same")).toEqual([]);
      });
    });

    describe("that somebody else changed", () => {
      let quiet: Run;
      let refreshed: Run;
      let mended: Run;
      let settled: Run;

      beforeAll(async () => {
        quiet = await stack.refresh();
        for (const [index, { behind }] of drifts.entries()) {
          const id = String(created.outputs[`r${index}`]);
          if (typeof behind === "function") await behind(emulator, id);
          else await patch(emulator, `${collection}/${id}`, filled(behind));
        }
        const lostId = String(created.outputs[lost]);
        await (cycle.lose?.(emulator, lostId) ?? send(emulator, "DELETE", `${collection}/${lostId}`));
        // A refresh looks again for a missing object that is new, so let some time pass.
        clock.pass(60_000);
        refreshed = await stack.refresh();
        mended = await stack.up(program("to"));
        settled = await stack.preview(program("to"));
      });

      test("shows nothing in a refresh before that", () => {
        expect(new Set(quiet.results.map(({ op }) => op))).toEqual(new Set(["same"]));
      });

      // test.each refuses an empty table, and some kinds have nothing that can drift.
      if (drifts.length > 0)
        test.each(drifts.map((drift, index) => ({ ...drift, name: `r${index}` })))(
          "$title shows in a refresh and is mended by the next up",
          async ({ name, shows, holds }) => {
            const found = refreshed.results.find((step) => step.name === name);
            expect(found?.op).toBe("update");
            expect(found?.differs).toEqual(shows);
            expect(verb(stepsOf(mended, name))).not.toBe("same");
            expect(await held(mended.outputs[name])).toMatchObject(filled(holds));
          },
        );

      test("is made anew when it was deleted", async () => {
        expect(refreshed.results.find((step) => step.name === lost)?.op).toBe("delete");
        expect(verb(stepsOf(mended, lost))).toBe("create");
        expect(await held(mended.outputs[lost])).toMatchObject({ http: 200 });
      });

      test("does not change any more once it is mended", () => {
        expect(new Set(ops(settled))).toEqual(new Set(["same"]));
      });
    });

    test("is gone after destroy", async () => {
      const { steps } = await stack.destroy();
      expect(new Set(steps.map(({ op }) => op))).toEqual(new Set(["delete"]));
      expect(await held(created.outputs.full)).toMatchObject({ http: 404 });
    });
  });
}

function ops(run: Run): string[] {
  return run.steps.map(({ op }) => op);
}

function stepsOf(run: Run, name: string): Step[] {
  return run.steps.filter((step) => step.name === name);
}

/** What happens to a resource, as one word. A replacement takes several steps. */
function verb(steps: readonly Step[]): string | undefined {
  return steps.some(({ op }) => op === "replace") ? "replace" : steps[0]?.op;
}
