import { systemClock } from "../../provider/client/clock";
import { endRun } from "../../provider/core/end";
import { speed } from "./fast-clock";
import {
  create,
  declared,
  emulator,
  heard,
  inputs,
  type Kind,
  provider,
  withoutSecretsOverRest,
} from "./process";

// The end of a run that has deleted a secret to which containers refer: the service deletes it all the same.

const env = { HF_TOKEN: "Bearer {{ RUNPOD_SECRET_Token }}" };
const warning = /the secret is deleted, and .* still refers? to it: .* \[PODLUMI-STILL-USED\]/;

/** Milliseconds of the emulated service. */
const lag = 300;

/** Makes a secret and what refers to it, deletes the secret, does `more`, and returns what the end of the run says. */
async function afterDeletion(
  users: readonly Kind[],
  more: (now: ReturnType<typeof provider>) => unknown = () => {},
  listLag = 0,
) {
  const before = provider();
  for (const kind of users) await create(before[kind], kind, { env });
  const { id, outs } = await create(before.secret, "secret");
  await systemClock.sleep(2 * listLag * speed);
  emulator.service.timings.listLag = listLag;
  const now = provider();
  await now.secret.delete(id, outs ?? {});
  await more(now);
  const { said } = await heard(() => endRun(now.run));
  return said;
}

test.each([
  ["pod", /and pod "trainer" \(\w+\) still refers/],
  ["cluster", /and cluster \w+ still refers/],
  ["serverlessEndpoint", /and endpoint "llm" \(\w+\) still refers/],
  ["template", /and template "worker" \(\w+\) still refers/],
] as const)("tells which %s still refers to it", async (kind, expected) => {
  const said = await afterDeletion([kind]);
  expect(said).toMatch(warning);
  expect(said).toMatch(expected);
});

test("tells all of them at once, also where GraphQL has the secrets", async () => {
  await withoutSecretsOverRest();
  expect(await afterDeletion(["pod", "template"])).toMatch(/and pod .*, template .* still refer to it/);
});

test("says nothing where nothing refers to it", async () => {
  expect(await afterDeletion([])).not.toMatch(warning);
});

test("says nothing of what this run has deleted as well, although lists lag behind", async () => {
  const deleting = afterDeletion(
    ["pod"],
    async ({ pod }) => {
      const ids = emulator.service.pods.list({}).map(({ id }) => id);
      for (const id of ids) await pod.delete(id, { ...declared("pod"), ...inputs.pod });
    },
    lag,
  );
  expect(await deleting).not.toMatch(warning);
});

test("tells it although the list of secrets lags behind, and shows the deleted one", async () => {
  const said = await afterDeletion(["pod"], undefined, lag);
  expect(said).toMatch(warning);
});

test.each(["by the program", "by somebody else"])(
  "says nothing where a secret of that name has been created again %s",
  async (by) => {
    const said = await afterDeletion(["pod"], async ({ secret }) => {
      if (by === "by somebody else") emulator.service.secrets.create({ name: "TOKEN", value: "v" });
      else await secret.check?.({}, declared("secret", { name: "token" }));
    });
    expect(said).not.toMatch(warning);
  },
);
