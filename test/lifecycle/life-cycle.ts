import type { CustomResource, CustomResourceOptions } from "@pulumi/pulumi";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../sdk/emulator/service";
import { ofPlugin } from "../../sdk/plugin/face";
import { runsAll } from "../engine/runs-all";
import { fast, PassingClock, patch, send } from "../harness/account";
import { oneCheckpoint, type Run, TestStack, withPlugin } from "../harness/stack";
import type { Step } from "../harness/step";
import { labelsOf } from "./labels";

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
 * The two faces of a kind. Their resources live in one stack and one account, so their names differ. The tables are about the
 * core, which both have, so that `npm test` leaves out those of the plugin.
 */
const faces = [
  { face: "dynamic provider", more: "", of: (resource: LifeCycle["resource"]) => resource },
  { face: "plugin", more: "-plugin", of: ofPlugin<LifeCycle["resource"]> },
].filter(({ face }) => face !== "plugin" || runsAll);

/**
 * Runs the specifications of kinds on the real engine: many resources of both faces in one stack, so that few runs show
 * much. `full` has every argument, each edit is made to one of `e0`, `e1` …, each drift happens to one of `r0`, `r1` …
 */
export function lifeCycle(...cycles: readonly LifeCycle[]): void {
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

  /** The same for one face, whose objects have names of their own. */
  const filledFor = (more: string, { name, ...entry }: Object): Object => ({
    ...filled(entry),
    ...(name !== undefined && { name: typeof name === "string" ? `${name}${more}` : name }),
  });

  /** The resources of a kind before (`from`) or after (`to`) its edits, and their ids as outputs. */
  const declare = (cycle: LifeCycle, side: "from" | "to") => {
    const { kind, base, full, edits, drifts, resource } = cycle;
    const declared: Record<string, Args> = { full: full.args, [lostOf(cycle)]: {} };
    for (const [index, edit] of edits.entries()) declared[`e${index}`] = edit[side] ?? {};
    for (const [index, { args }] of drifts.entries()) declared[`r${index}`] = args ?? {};
    return faces.flatMap(({ more, of }) => {
      const Class = of(resource);
      return Object.entries(declared).map(([name, args]) => {
        const given = Object.entries({ ...base, ...args }).filter(([, value]) => value !== undefined);
        const inputs = filledFor(more, Object.fromEntries(given)) as never;
        return [`${kind} ${name}${more}`, new Class(`${name}${more}`, inputs).id];
      });
    });
  };
  const program = (side: "from" | "to") => () =>
    Object.fromEntries(cycles.flatMap((cycle) => declare(cycle, side)));

  const held = async ({ collection, look }: LifeCycle, id: unknown): Promise<Object> => {
    if (look) {
      const object = look(emulator, String(id));
      return { http: object === undefined ? 404 : 200, ...object, ...labelsOf(emulator, String(id)) };
    }
    const answer = await fetch(`${emulator.apiUrl}/${collection}/${id}`, {
      headers: { authorization: "Bearer key" },
    });
    return { http: answer.status, ...((await answer.json()) as Object), ...labelsOf(emulator, String(id)) };
  };

  describe("the life of a stack", () => {
    let created: Run;
    let unchanged: Run;

    const clock = new PassingClock();
    beforeAll(async () => {
      emulator = await startEmulator(Object.assign({ ...fast, clock }, ...cycles.map((one) => one.emulator)));
      stack = await TestStack.create(
        { ...emulator.env, ...withPlugin, ...oneCheckpoint },
        { "podlumi:confirmDataLoss": { value: "all" } },
      );
      prepared = Object.assign({}, ...cycles.map(({ prepare }) => prepare?.(emulator)));
      created = await stack.up(program("from"));
      unchanged = await stack.preview(program("from"));
    });
    afterAll(async () => {
      await emulator.close();
      stack.remove();
    });

    describe.each(cycles)("a $kind", (cycle) => {
      describe.each(faces)("of the $face", ({ more }) => {
        test("is created with every argument", async () => {
          expect(new Set(ops(created, cycle, more))).toEqual(new Set(["create"]));
          const expected = filledFor(more, cycle.full.holds);
          expect(await held(cycle, idIn(created, cycle, `full${more}`))).toMatchObject(expected);
        });

        test("does not change in the next preview", () => {
          expect(new Set(ops(unchanged, cycle, more))).toEqual(new Set(["same"]));
        });
      });
    });

    describe("that somebody else changed, and that is edited", () => {
      let refreshed: Run;
      let preview: Run;
      let after: Run;
      let settled: Run;

      /** Another client changes and deletes objects of a kind. */
      const drift = async (cycle: LifeCycle, more: string) => {
        const { collection, drifts, lose } = cycle;
        for (const [index, { behind }] of drifts.entries()) {
          const id = String(idIn(created, cycle, `r${index}${more}`));
          if (typeof behind === "function") await behind(emulator, id);
          else await patch(emulator, `${collection}/${id}`, filledFor(more, behind));
        }
        const lostId = String(idIn(created, cycle, `${lostOf(cycle)}${more}`));
        await (lose?.(emulator, lostId) ?? send(emulator, "DELETE", `${collection}/${lostId}`));
      };

      beforeAll(async () => {
        for (const cycle of cycles) for (const { more } of faces) await drift(cycle, more);
        // A refresh looks again for a missing object that is new, so let some time pass.
        clock.pass(60_000);
        refreshed = await stack.refresh();
        preview = await stack.preview(program("to"));
        after = await stack.up(program("to"));
        settled = await stack.preview(program("to"));
      });

      test("shows in a refresh, and nothing else does", () => {
        const others = refreshed.results.filter(({ name }) => !name.startsWith("r"));
        expect(new Set(others.map(({ op }) => op))).toEqual(new Set(["same"]));
      });

      describe.each(cycles)("a $kind", (cycle) => {
        const { base, edits, drifts } = cycle;

        describe.each(faces)("of the $face", ({ more }) => {
          test.each(edits.map((edit, index) => ({ ...edit, name: `e${index}${more}` })))(
            "$title: $op",
            async ({ name, op, to, shows, holds }) => {
              const announced = stepsOf(preview, cycle, name);
              expect(verb(announced)).toBe(op);
              expect(verb(stepsOf(after, cycle, name))).toBe(op);
              if (shows) {
                // A replacement gets a new name when podlumi chooses the name.
                const named = "name" in { ...base, ...to } || op !== "replace";
                const shown = named ? shows : [...shows, "name"].toSorted();
                expect(announced.find((step) => step.op === op)?.differs.toSorted()).toEqual(shown);
              }
              const [before, now] = [created, after].map((run) => idIn(run, cycle, name));
              expect(now === before).toBe(op !== "replace");
              if (op === "replace") expect(await held(cycle, before)).toMatchObject({ http: 404 });
              if (holds) expect(await held(cycle, now)).toMatchObject(filledFor(more, holds));
            },
          );

          // test.each refuses an empty table, and some kinds have nothing that can drift.
          if (drifts.length > 0)
            test.each(drifts.map((drift, index) => ({ ...drift, name: `r${index}${more}` })))(
              "$title shows in a refresh and is mended by the next up",
              async ({ name, shows, holds }) => {
                const [found] = resultsOf(refreshed, cycle, name);
                expect(found?.op).toBe("update");
                expect(found?.differs).toEqual(shows);
                expect(verb(stepsOf(preview, cycle, name))).not.toBe("same");
                expect(verb(stepsOf(after, cycle, name))).toBe(verb(stepsOf(preview, cycle, name)));
                expect(await held(cycle, idIn(after, cycle, name))).toMatchObject(filledFor(more, holds));
              },
            );

          test("is made anew when it was deleted", async () => {
            const name = `${lostOf(cycle)}${more}`;
            expect(resultsOf(refreshed, cycle, name)[0]?.op).toBe("delete");
            expect(verb(stepsOf(preview, cycle, name))).toBe("create");
            expect(verb(stepsOf(after, cycle, name))).toBe("create");
            expect(await held(cycle, idIn(after, cycle, name))).toMatchObject({ http: 200 });
          });

          test("does not change any more", () => {
            expect(new Set(ops(settled, cycle, more))).toEqual(new Set(["same"]));
          });
        });
      });
    });

    test("is gone after destroy", async () => {
      const { steps } = await stack.destroy();
      expect(new Set(steps.map(({ op }) => op))).toEqual(new Set(["delete"]));
      for (const cycle of cycles)
        for (const { more } of faces)
          expect(await held(cycle, idIn(created, cycle, `full${more}`))).toMatchObject({ http: 404 });
    });
  });
}

/** The resource that another client deletes. */
const lostOf = ({ drifts }: LifeCycle) => `r${drifts.length}`;

/** The id of a resource of the kind, by the outputs of a run. */
const idIn = ({ outputs }: Run, { kind }: LifeCycle, name: string) => outputs[`${kind} ${name}`];

/** What happens to the resources of a kind and a face. The plugin's have names of their own. */
function ops(run: Run, { resource }: LifeCycle, more: string): string[] {
  const ofFace = (name: string) => name.endsWith("-plugin") === (more !== "");
  return run.steps.filter(({ kind, name }) => kind === resource.name && ofFace(name)).map(({ op }) => op);
}

const of =
  (list: "steps" | "results") =>
  (run: Run, { resource }: LifeCycle, name: string): Step[] =>
    run[list].filter((step) => step.kind === resource.name && step.name === name);
const stepsOf = of("steps");
const resultsOf = of("results");

/** What happens to a resource, as one word. A replacement takes several steps. */
function verb(steps: readonly Step[]): string | undefined {
  return steps.some(({ op }) => op === "replace") ? "replace" : steps[0]?.op;
}
