import { create, emulator, inputs, kinds, provider, urnOf } from "./process";

test.each(kinds)("a %s that a program gets and that does not exist is an error with the id", async (kind) => {
  await expect(provider()[kind].read?.("no-such-id", {})).rejects.toThrow(
    /there is no .* with the id "no-such-id" in this account/,
  );
});

test("a refresh gives back inputs where something differs, and leaves them alone where nothing does", async () => {
  const { template } = provider();
  const { id, outs } = await create(template, "template", { deleteTimeout: 60 });
  const state = { ...outs, __provider: "p" };
  expect(await template.read?.(id, state)).toEqual({ id, props: outs });
  emulator.service.templates.update(id, { image: "org/worker:2" });
  const { inputs: found } = (await provider().template.read?.(id, state)) ?? {};
  expect(found).toEqual({
    ...inputs.template,
    image: "org/worker:2",
    deleteTimeout: 60,
    __urn: urnOf("template"),
  });
});
