import { noPlainTextSecrets } from "../../sdk/policy/secrets";
import { violations } from "./violations";

const named = (env: object) =>
  violations(noPlainTextSecrets(), "Pod", { env }).then((found) =>
    found.map((text) => text.slice("env.".length, text.indexOf(" "))),
  );

const reference = "{{ RUNPOD_SECRET_x }}";

test.each([
  "DB_PASSWORD",
  "PGPASSWORD",
  "dbPassword",
  "HF_TOKEN",
  "HFTOKEN",
  "API_KEY",
  "OPENAIAPIKEY",
  "SSH_KEY",
])("a secret by its name, %s, is a reference and nothing else", async (name) => {
  expect(await named({ [name]: "hunter2" })).toEqual([name]);
  expect(await named({ [name]: `hunter2${reference}` })).toEqual([name]);
  expect(await named({ [name]: `${reference}hunter2` })).toEqual([name]);
  for (const value of [reference, "{{RUNPOD_SECRET_x}}", ` ${reference}\n`, `${reference}${reference}`, ""])
    expect(await named({ [name]: value })).toEqual([]);
});

test("a switch is no secret under any name", async () => {
  const env = { HF_HUB_DISABLE_IMPLICIT_TOKEN: "1", ALLOW_EMPTY_PASSWORD: "false", PAD_TOKEN: "0" };
  expect(await named(env)).toEqual([]);
});

test("other names pass with any value but a key", async () => {
  const env = {
    MAX_TOKENS: "9",
    MONKEY: "caesar",
    SSH_PUBLIC_KEY: "ssh-ed25519 AAAA",
    URL: `https://a:${reference}@b`,
  };
  expect(await named(env)).toEqual([]);
  expect(await named({ URL: "https://hf_HIDDENhiddenHIDDENhidden@b" })).toEqual(["URL"]);
});
