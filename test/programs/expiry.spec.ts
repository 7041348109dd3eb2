import * as podlumi from "podlumi";
import * as plugin from "podlumi/plugin";
import { systemClock } from "../../provider/client/clock";
import { transport } from "../../provider/client/transport";
import { settings } from "../../provider/config";
import { handler } from "../../provider/core/handler";
import { providerOf } from "../../provider/identity";
import { definitions } from "../../provider/resources";
import { newRun } from "../acceptance/life";
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

test("a time limit is set once, renewed by a start, and an up refuses to continue when it is over", async () => {
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

  expect((await stack.preview(program("1s"))).printed).toContain(
    "a change of expiresAfter restarts the pod: what is on its disk outside of mounts is lost",
  );
  await stack.up(program("1s"));
  expect(limits()).toEqual(["1s", "1s"]);
  // The service tells its time in whole seconds.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const text = await printed(stack.preview(program("1s")));
  expect(text).toMatch(
    /will not continue with pod \W*(web|plugged)-\w+\W* \(\w+\): its time limit of 1s ended at .*sweep --expired/,
  );
  expect(text).toMatch(/\[PODLUMI-EXPIRED\]/);
  // What takes it out of the program is not refused.
  await stack.up(() => undefined);
  expect(emulator.service.isEmpty()).toBe(true);
});

test("a machine whose clock is a day ahead refuses nothing that is not over", async () => {
  const provider = (ahead: number) => {
    const clock = { ...systemClock, now: () => Date.now() + ahead };
    return handler(
      definitions.Pod,
      newRun({ settings: account, clock, recorder: { send: transport() } as never }),
    );
  };
  const account = settings(() => undefined, emulator.env);
  const __urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/podlumi:Pod::web";
  const own = { __provider: providerOf("Pod"), __urn, __providerId: "id" };
  const first = provider(0);
  const { inputs } = await first.check({}, { ...args, name: "web", expiresAfter: "8h", ...own });
  const { id, outs } = await first.create(inputs);
  const second = provider(86_400_000);
  const again = await second.check(inputs, inputs);
  const { fields } = await second.diff(id, { ...outs }, again.inputs);
  expect([...fields.keys()]).toEqual([]);
  await second.delete(id, { ...outs });
});
