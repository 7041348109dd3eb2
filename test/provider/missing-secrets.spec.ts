import { endRun } from "../../provider/core/end";
import type { Properties } from "../../provider/core/value";
import { declared, emulator, heard, type Kind, provider, runs, withoutSecretsOverRest } from "./process";

// The end of a run whose program refers to secrets of the account by their names.

const env = { HF_TOKEN: "Bearer {{ RUNPOD_SECRET_Token }}" };
const warning =
  /env\.HF_TOKEN refers to the secret "Token", which neither the account has nor .* creates \(unless an error has ended it early\): .* \[PODLUMI-ODD\]/;

/** Checks what a program declares, and returns what the end of the run says. */
async function afterCheck(
  declares: (kinds: ReturnType<typeof provider>) => Promise<unknown>,
): Promise<string> {
  const kinds = provider();
  await declares(kinds);
  emulator.requests.splice(0);
  const { said } = await heard(() => endRun(kinds.run));
  return said;
}

const checkOf =
  (kind: Kind, news: Properties = { env }, olds: Properties = {}) =>
  (kinds: ReturnType<typeof provider>) =>
    kinds[kind].check(olds, declared(kind, news));

const listsOfSecrets = () => emulator.requests.filter(({ path }) => path.includes("secrets")).length;

test.each<Kind>(["pod", "cluster", "serverlessEndpoint", "template"])(
  "warns of a %s that refers to a secret which nobody has",
  async (kind) => {
    expect(await afterCheck(checkOf(kind))).toMatch(warning);
    expect(listsOfSecrets()).toBe(1);
  },
);

test("says nothing where the service cannot list secrets", async () => {
  await withoutSecretsOverRest();
  expect(await afterCheck(checkOf("pod"))).toBe("");
});

test.each(["the account", "the program"])("says nothing where %s has it, in another case", async (who) => {
  const said = await afterCheck(async (kinds) => {
    await checkOf("pod")(kinds);
    if (who === "the account") emulator.service.secrets.create({ name: "TOKEN", value: "v" });
    else await kinds.secret.check({}, declared("secret", { name: "token" }));
  });
  expect(said).toBe("");
});

test("asks nothing where the variable is as before, where a check has failed, and for a part of the program", async () => {
  const before = { ...declared("pod"), name: "it", env };
  expect(await afterCheck(checkOf("pod", { name: "it", env }, before))).toBe("");
  expect(listsOfSecrets()).toBe(0);
  const fails = async (kinds: ReturnType<typeof provider>) => {
    await checkOf("pod")(kinds);
    await checkOf("template", { image: "" })(kinds);
  };
  expect(await afterCheck(fails)).toBe("");
  expect(listsOfSecrets()).toBe(0);
  runs("preview --target urn:pulumi:dev::project::podlumi:index:Pod::it");
  expect(await afterCheck(checkOf("pod"))).toBe("");
  expect(listsOfSecrets()).toBe(0);
});
