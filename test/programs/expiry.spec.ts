import * as podlumi from "podlumi";
import * as plugin from "podlumi/plugin";
import { emulatedStack, emulator, stack } from "../harness/emulated";
import { type Run, type RunFailure, withPlugin } from "../harness/stack";

emulatedStack("all", { env: withPlugin });

const args = { image: "org/app:1", gpu: { id: "NVIDIA L4" } };
const program = (expiresAfter: string, desiredStatus?: "RUNNING" | "EXITED") => () => {
  const pods = {
    web: new podlumi.Pod("web", { ...args, expiresAfter, desiredStatus }),
    plugged: new plugin.Pod("plugged", { ...args, expiresAfter, desiredStatus }),
  };
  return { web: pods.web.expiresAt, plugged: pods.plugged.expiresAt };
};

const printed = (command: Promise<Run>) =>
  command.then(
    () => "it did not fail",
    (error: RunFailure) => error.printed,
  );
const limits = () => emulator.service.pods.list().map(({ env }) => env.PODLUMI_EXPIRES?.split(" ")[1]);

test("a time limit is set once, renewed by a start, and an up refuses to go on when it is over", async () => {
  const first = await stack.up(program("8h"));
  const ends = [first.outputs.web, first.outputs.plugged].map((at) => Date.parse(String(at)));
  for (const end of ends) expect(Math.abs(end - Date.now() - 8 * 3_600_000)).toBeLessThan(60_000);
  emulator.requests.splice(0);
  expect((await stack.up(program("8h"))).steps.every(({ op }) => op === "same")).toBe(true);
  expect(emulator.requests).toEqual([]);

  await stack.up(program("8h", "EXITED"));
  const started = await stack.up(program("8h", "RUNNING"));
  for (const [index, name] of ["web", "plugged"].entries())
    expect(Date.parse(String(started.outputs[name]))).toBeGreaterThan(Number(ends[index]));

  await stack.up(program("1s"));
  expect(limits()).toEqual(["1s", "1s"]);
  const text = await printed(stack.preview(program("1s")));
  expect(text).toMatch(
    /will not go on with pod \W*(web|plugged)-\w+\W* \(\w+\): its time limit of 1s ended at .*sweep --expired/,
  );
  expect(text).toMatch(/\[PODLUMI-EXPIRED\]/);
  // What takes it out of the program is not refused.
  await stack.up(() => undefined);
  expect(emulator.service.isEmpty()).toBe(true);
});
