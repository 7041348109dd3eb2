import type { Properties } from "../../provider/value";
import { declared, emulator, heard, type Kind, provider } from "./process";

/** An object at the service. */
export const object = (kind: Kind, id: string) => {
  const { endpoints, volumes, pods, templates } = emulator.service;
  const all = {
    serverlessEndpoint: endpoints,
    pod: pods,
    template: templates,
    networkVolume: volumes,
  };
  return all[kind as "pod"].get(id);
};

/** What is left of an object and its state by an update whose requests all take effect, and get no answer. */
export async function leftBy(kind: Kind, before: Properties, after: Properties) {
  const [old, news] = [before, after].map((one) => declared(kind, { name: "it", ...one }));
  const { id, outs } = await provider()[kind].create(old ?? {});
  emulator.faults.add({ match: { method: "PATCH" }, when: "after", what: { reset: true }, times: 100 });
  // Of a pod, a look would show it.
  const look = { method: "GET", path: "/pods" };
  emulator.on("after", { method: "PATCH" }, () => {
    emulator.faults.add({ match: look, when: "before", what: { status: 403 }, times: 100 });
  });
  const failed = await leftOver(provider()[kind].update(id, outs as Properties, news ?? {}));
  emulator.faults.clear();
  expect(failed).toMatchObject({ id, message: expect.stringContaining("It may still take effect") });
  const { properties } = failed;
  return { id, state: { ...properties, __provider: "p" }, old: old ?? {} };
}

/** The error of an update, which has the state that it leaves. */
export async function leftOver(update: Promise<unknown>): Promise<{ properties: Properties }> {
  return update.then(
    () => Promise.reject(new Error("it did not fail")),
    (error) => error,
  );
}

/** What the preview of a program says, and the update that would follow it. */
export async function previewed(kind: Kind, id: string, state: Properties, news: Properties) {
  const { [kind]: of } = provider();
  const { inputs = {} } = await of.check(state, news);
  const { result, said } = await heard(async () => of.diff(id, state, inputs));
  return { said, diff: result, update: () => of.update(id, state, inputs) };
}
