import { resourceOf } from "../../provider/core/call";
import { imported } from "../../provider/core/verbs/import";
import { secret } from "../../provider/resources/secret";
import type { Properties } from "../../provider/value";
import { begin, declared, emulator, provider, stacks } from "./process";

// A secret has its mark at the end of its description, behind the program's text.

const mark = /^podlumi: project\/dev Secret::it [0-9a-f]{6}-[0-9a-f]{12}-/;
const held = (id: string) => String(emulator.service.secrets.get(id).description);

async function up(id: string, outs: Properties = {}, changes: Properties = {}) {
  const { secret } = provider();
  const state = { ...outs, __provider: "p" };
  const { inputs } = await secret.check(state, declared("secret", changes));
  const { changes: differs = true } = await secret.diff(id, state, inputs);
  return differs ? ((await secret.update(id, state, inputs)).outs ?? {}) : outs;
}

test.each(["of CI", "two\nlines\n", " podlumi: ", "podlumi: a/b Secret::c 123456-", "x — é"])(
  "the description %j reads back as the program wrote it, beside the mark",
  async (description) => {
    const { id, outs } = await begin(provider().secret, "secret", { description });
    expect(held(id).slice(0, description.length + 1)).toBe(`${description} `);
    expect(held(id).slice(description.length + 1)).toMatch(mark);
    expect(outs?.description).toBe(description);
    expect((await provider().secret.read(id, outs))?.inputs).toMatchObject({ description });
    expect(await up(id, outs, { description })).toBe(outs);
    expect((await begin(provider().secret, "secret", { description })).id).toBe(id);
    const { inputs } = await imported(resourceOf(secret, provider().run, declared("secret")), id);
    expect(inputs).toMatchObject({ description });
  },
);

test("a description that ends in a mark keeps that", async () => {
  const { id: other } = await begin(provider().secret, "secret", { description: "theirs" });
  const description = held(other);
  emulator.service.secrets.delete(other);
  const { id, outs } = await begin(provider().secret, "secret", { description });
  expect(outs?.description).toBe(description);
  expect(await up(id, outs, { description })).toBe(outs);
});

test("a change and a removal of the description keep the mark", async () => {
  const { id, outs } = await begin(provider().secret, "secret");
  const before = held(id);
  const described = await up(id, outs, { description: "of CI", value: "other" });
  expect(held(id)).toBe(`of CI ${before}`);
  expect(emulator.service.secrets.valueOf(id)).toBe("other");
  expect(described.description).toBe("of CI");
  const { description } = await up(id, described, { value: "other" });
  expect(held(id)).toBe(before);
  expect(description ?? null).toBeNull();
});

test("an adoption puts the mark behind the description, which it changes where the program says so", async () => {
  const { id } = await begin(provider().secret, "secret", {
    description: "of CI",
    __providerId: stacks.theirs,
  });
  const { outs } = await begin(provider().secret, "secret", { description: "of CI", adopt: id });
  expect(held(id)).toMatch(/^of CI podlumi: project\/dev Secret::it [^:]+-0 /);
  expect(await up(id, outs, { description: "of CI" })).toBe(outs);
  await begin(provider().secret, "secret", {
    description: "other",
    adopt: id,
    __providerId: stacks.theirs,
  });
  expect(held(id)).toMatch(/^other podlumi: [^\n]+-0 /);
});
