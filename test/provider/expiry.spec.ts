import { markVariable } from "../../provider/core/mark/mark";
import { expiryVariable } from "../../provider/core/state/expiry";
import type { Properties } from "../../provider/value";
import { begin, declared, emulator, heard, provider, stacks } from "./process";

// What becomes of a time limit that an object has when a resource gets it.

const limited = { expiresAfter: "1h" };
const variables = (id: string) => emulator.service.pods.get(id).env ?? {};
const changesOf = (id: string) =>
  emulator.requests.filter(({ method, path }) => method === "PATCH" && path.endsWith(id));

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

/** Lets the time limit of a pod end then. */
function setEnd(id: string, at: string): void {
  const limit = String(variables(id)[expiryVariable]).replace(/^\S+/, at);
  emulator.service.pods.update(id, { env: { ...variables(id), [expiryVariable]: limit } });
}

/** A pod that was made with a limit, and what a resource says that gets it. */
async function gets(id: string, changes: Properties) {
  const { result, said } = await heard(() => begin("pod", changes));
  expect(result.id).toBe(id);
  return { outs: result.outs ?? {}, said };
}

describe("the time limit of a pod that is taken over", () => {
  test("begins anew where it is over, so that the next up continues", async () => {
    const { id } = await begin("pod", limited);
    setEnd(id, inMinutes(-1));
    const { outs, said } = await gets(id, limited);
    expect(said).toContain(" and changes expiresAfter: it carries the mark of this resource");
    expect(String(outs.expiresAt) > inMinutes(55)).toBe(true);
    const { pod } = provider();
    const state = { ...outs, __provider: "p" };
    const { inputs: news } = await pod.check(state, declared("pod", limited));
    expect(await pod.diff(id, state, news)).toMatchObject({ changes: false });
  });

  test("stays where it is not over, since a pod with other variables starts anew", async () => {
    const { id, outs: made } = await begin("pod", limited);
    const { outs, said } = await gets(id, limited);
    expect(said).toContain(" as it is: it carries the mark of this resource");
    expect(outs.expiresAt).toBe(made?.expiresAt);
    expect(changesOf(id)).toEqual([]);
  });
});

test("a pod that a sweep has deleted is told as gone: nothing is left to sweep or to keep", async () => {
  const { id, outs } = await begin("pod", limited);
  const state = { ...outs, expiresAt: inMinutes(-1), __provider: "p" };
  const refusal = async () => {
    const { pod } = provider();
    const { inputs: news } = await pod.check(state, declared("pod", limited));
    return pod.diff(id, state, news);
  };
  await expect(refusal()).rejects.toThrow(
    /will not continue with .*its time limit of 1h ended.*\[PODLUMI-EXPIRED\]/,
  );
  emulator.service.pods.delete(id);
  await expect(refusal()).rejects.toThrow(
    /will not continue with .*it is gone: .*`pulumi refresh`.*\[PODLUMI-GONE\]/,
  );
});

describe("the time limit of an adopted pod", () => {
  test("begins with the adoption, which writes the variables", async () => {
    const { id } = await begin("pod", { ...limited, __providerId: stacks.theirs });
    setEnd(id, inMinutes(30));
    const { outs, said } = await gets(id, { ...limited, adopt: id });
    expect(said).toContain("and changes expiresAfter, its mark of ownership");
    expect(String(outs.expiresAt) > inMinutes(55)).toBe(true);
    expect(changesOf(id)).toHaveLength(1);
  });

  test("is removed with it where the program has none", async () => {
    const { id } = await begin("pod", { ...limited, __providerId: stacks.theirs });
    const { outs, said } = await gets(id, { adopt: id });
    expect(said).toContain("and changes expiresAfter, its mark of ownership");
    expect(variables(id)).not.toHaveProperty(expiryVariable);
    expect(outs).not.toHaveProperty("expiresAt");
  });

  test("stays, and is named, where the variables stay as they are", async () => {
    const { id, outs: made } = await begin("pod", limited);
    const { [markVariable]: mark, ...env } = variables(id);
    emulator.service.pods.update(id, { env });
    const { said } = await gets(id, { adopt: id });
    expect(said).toContain(
      `as it is (its time limit stays: it ends at ${made?.expiresAt}, and \`npx podlumi sweep --expired\` deletes it then)`,
    );
    expect(changesOf(id)).toEqual([]);
  });
});

test("the time limit of a cluster that is taken over is named where it is over: the service cannot change it", async () => {
  const { id } = await begin("cluster", { expiresAfter: "1s" });
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  const { result, said } = await heard(() => begin("cluster", { expiresAfter: "1s" }));
  expect(result.id).toBe(id);
  expect(said).toMatch(/as it is \(its time limit stays: it ends at \S+, and /);
});
