import { systemClock } from "../../provider/client/clock";
import { speed } from "./fast-clock";
import {
  create,
  declared,
  emulator,
  existing,
  heard,
  type Kind,
  provider,
  withoutSecretsOverRest,
} from "./process";

// The service deletes a secret and a credential although others name them. A list shows who does, so the deletion waits for these.

const env = { HF_TOKEN: "Bearer {{ RUNPOD_SECRET_Token }}" };

type Named = "secret" | "registryAuth";
const cases: [Named, Kind, RegExp][] = [
  ["secret", "pod", /pod "trainer" \(\w+\)/],
  ["secret", "cluster", /cluster \w+/],
  ["secret", "serverlessEndpoint", /endpoint "llm" \(\w+\)/],
  ["secret", "template", /template "worker" \(\w+\)/],
  ["registryAuth", "pod", /pod "trainer" \(\w+\)/],
  ["registryAuth", "serverlessEndpoint", /endpoint "llm" \(\w+\)/],
  ["registryAuth", "template", /template "worker" \(\w+\)/],
];

/** What is named, who names it, and the deletion of each by new processes. */
async function made(kind: Named, user: Kind) {
  const { id, outs = {} } = await create(kind);
  const naming = await create(user, kind === "secret" ? { env } : { registry: id });
  return {
    id,
    remove: (seconds?: number) => provider()[kind].delete(id, outs, seconds),
    removeUser: () => provider()[user].delete(naming.id, naming.outs ?? {}),
  };
}

test.each(cases)("a %s waits for the %s that names it", async (kind, user) => {
  const { id, remove, removeUser } = await made(kind, user);
  const removal = remove();
  await systemClock.sleep(20_000);
  expect(existing()).toContain(id);
  await removeUser();
  await removal;
  expect(existing()).toEqual([]);
});

test.each(cases)("a %s stays where the %s that names it does, and the error says which", async (...row) => {
  const [kind, user, which] = row;
  const { id, remove } = await made(kind, user);
  const error = await remove(1).catch(({ message }) => message);
  expect(error).toMatch(
    new RegExp(`: ${which.source} still uses it after 1 s: delete that first, .*PODLUMI-IN-USE\\]$`),
  );
  expect(existing()).toContain(id);
  expect(emulator.requests.filter(({ method }) => method === "DELETE")).toEqual([]);
});

test("a secret waits for who names it where GraphQL has the secrets, too", async () => {
  await withoutSecretsOverRest();
  const { id, remove, removeUser } = await made("secret", "pod");
  await expect(remove(1)).rejects.toThrow(/PODLUMI-IN-USE/);
  expect(existing()).toContain(id);
  await removeUser();
  await remove();
  expect(existing()).toEqual([]);
});

test.each<Named>(["secret", "registryAuth"])("a %s that nobody names goes at once", async (kind) => {
  const { id, outs = {} } = await create(kind);
  await create("pod", { env: { OTHER: "{{ RUNPOD_SECRET_other }}" } });
  const { [kind]: next } = provider();
  const { said } = await heard(() => next.delete(id, outs));
  expect(said).toBe("");
  expect(existing()).not.toContain(id);
});

test("a secret goes where this run has deleted who names it, although lists lag behind", async () => {
  const { id, outs = {} } = await create("secret");
  const user = await create("pod", { env });
  const lag = 300;
  await systemClock.sleep(2 * lag * speed);
  emulator.service.timings.listLag = lag;
  const { pod, secret } = provider();
  await pod.delete(user.id, user.outs ?? {});
  await secret.delete(id, outs);
  expect(existing()).toEqual([]);
});

test("a secret of a pod that this run has changed to another one goes", async () => {
  const { id, outs = {} } = await create("secret");
  const user = await create("pod", { env });
  const { pod, secret } = provider();
  await pod.update(user.id, user.outs ?? {}, declared("pod", { name: "trainer", env: { A: "1" } }));
  await secret.delete(id, outs);
  expect(existing()).toEqual([user.id]);
});

test("a secret does not wait for a pod that is over and that the service still lists", async () => {
  const { id, outs = {} } = await create("secret");
  const over = { id: "pod1", name: "trainer", status: "TERMINATED", env };
  emulator.faults.add({
    match: { method: "GET", path: "/pods" },
    when: "before",
    what: { answer: { status: 200, body: { pods: [over] } } },
  });
  await provider().secret.delete(id, outs, 1);
  expect(existing()).toEqual([]);
});
