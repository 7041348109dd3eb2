import type { Properties } from "../../provider/value";
import {
  begin,
  create,
  declared,
  emulator,
  existing,
  heard,
  inputs,
  type Kind,
  provider,
  stateHas,
  urnOf,
} from "./process";

describe("a name that must be unique", () => {
  const kindsOf: [Kind, () => { id: string }, (id: string) => void][] = [
    [
      "template",
      () => emulator.service.templates.create({ name: "worker", image: "org/other:1" }),
      (id) => emulator.service.templates.delete(id),
    ],
    [
      "registryAuth",
      () => emulator.service.registries.create({ name: "ghcr", username: "a", password: "b" }),
      (id) => emulator.service.registries.delete(id),
    ],
    [
      "secret",
      () => emulator.service.secrets.create({ name: "token", value: "b" }),
      (id) => emulator.service.secrets.delete(id),
    ],
  ];

  test.each(kindsOf)(
    "of a %s that is taken is a warning of the check, which says by whom",
    async (kind, take) => {
      const { id } = take();
      const { result, said } = await heard(() =>
        provider()[kind].check({}, declared(kind, { name: inputs[kind].name })),
      );
      expect(result.failures).toEqual([]);
      expect(said).toMatch(
        new RegExp(
          `^name: the name is that of the .* "${inputs[kind].name}" \\(${id}\\), and must become free within 60 s\\. ` +
            `Give another name, leave name out, or write adopt: "${id}"; to replace its holder, set deleteBeforeReplace \\[PODLUMI-NAME-TAKEN\\]\n$`,
        ),
      );
      expect(
        emulator.requests.filter(({ method }) => method === "POST" || method === "GET").length,
      ).toBeLessThanOrEqual(4);
    },
  );

  test.each(kindsOf)("of a %s is retried while its holder may go away", async (kind, take, release) => {
    const { id } = take();
    setTimeout(() => release(id), 300);
    const made = await create(kind);
    expect(existing()).toEqual([made.id]);
  });

  test.each(kindsOf)("of a %s stays refused where no list tells who has it", async (kind, take) => {
    take();
    emulator.on("after", { method: "POST" }, () => {
      emulator.faults.add({ match: { method: "GET" }, when: "before", what: { malformed: true }, times: 0 });
    });
    const failure = await create(kind).catch((error) => error);
    expect(failure.message).toMatch(/POST \S+ answered 4\d\d/);
    expect(failure.message).not.toMatch(/clear answer|may still/);
  });

  test("is free for the resource that holds it, and taken for another of the same program", async () => {
    const { template } = provider();
    const check = (urn: string, olds: Properties) =>
      template.check?.(olds, { ...inputs.template, __urn: urnOf("Template", urn) });
    const { id, outs } = await create(template, "template");
    const next = provider().template;
    await next.diff?.(id, outs, { ...inputs.template });
    expect((await next.check?.({}, { ...inputs.template, __urn: "urn:template" }))?.failures).toEqual([]);
    expect((await check("a", {}))?.failures).toEqual([]);
    expect((await check("b", {}))?.failures).toEqual([
      {
        property: "name",
        reason:
          'is also the name of Template "a". Names of templates are unique in the account: give one of them another name [PODLUMI-NAME-TWICE]',
      },
    ]);
  });

  test("is to change of the resource that did not have it before, whichever of the two is checked first", async () => {
    const failuresOf = async (...urns: string[]) => {
      const { template } = provider();
      const given = (name: string) => ({ ...inputs.template, __urn: urnOf("Template", name) });
      const check = (urn: string) => template.check(urn === "old" ? given(urn) : {}, given(urn));
      const results = [await check(String(urns[0])), await check(String(urns[1]))];
      return results.flatMap(({ failures = [] }) => failures.map(({ reason }) => reason));
    };
    expect(await failuresOf("old", "new")).toEqual([
      expect.stringMatching(
        /the name of Template "old"\. .*: give this one another name \[PODLUMI-NAME-TWICE\]$/,
      ),
    ]);
    expect(await failuresOf("new", "old")).toEqual([
      expect.stringMatching(
        /the name of Template "new"\. .*: give the other one another name \[PODLUMI-NAME-TWICE\]$/,
      ),
    ]);
  });

  test("two secrets of a program whose names differ in case alone have one name", async () => {
    const { secret } = provider();
    const check = (name: string) =>
      secret.check({}, declared("secret", { name, __urn: urnOf("secret", name) }));
    expect((await check("token")).failures).toEqual([]);
    expect((await check("TOKEN")).failures).toEqual([
      expect.objectContaining({ property: "name", reason: expect.stringContaining("PODLUMI-NAME-TWICE") }),
    ]);
  });

  test("a new name that somebody else's object has is a warning before the update", async () => {
    const { id, outs = {} } = await create("template");
    const theirs = emulator.service.templates.create({ name: "theirs", image: "org/app:1" });
    const { template } = provider();
    const renamed = declared("template", { name: "theirs" });
    const { inputs: news } = await template.check(outs, renamed);
    const { result, said } = await heard(() => template.diff(id, outs, news));
    expect([...result.fields.keys()]).toEqual(["name"]);
    expect(said).toMatch(
      new RegExp(
        `the name is that of the template "theirs" \\(${theirs.id}\\), and must become free.*NAME-TAKEN`,
      ),
    );
  });

  test("may move from one resource to the next in one up, which the preview tells", async () => {
    const names = ["a", "b", "c"];
    const of = (name: string, to: string) =>
      declared("template", { name: to, __urn: urnOf("Template", name) });
    const made = await Promise.all(
      names.map(async (name) => ({ name, ...(await provider().template.create(of(name, name))) })),
    );
    const { template } = provider();
    const next = async ({ name, id, outs: state = {} }: (typeof made)[number], to: string) => {
      const { inputs: news = {} } = await template.check(state, of(name, to));
      const { said } = await heard(() => template.diff(id, state, news));
      return { said, update: () => template.update(id, state, news) };
    };
    const all = [];
    for (const [index, one] of made.entries()) all.push(await next(one, ["b", "c", "d"][index] ?? ""));
    const taken = (name: string) => expect.stringContaining(`of the template "${name}"`);
    expect(all.map(({ said }) => said)).toEqual([taken("b"), taken("c"), ""]);
    await Promise.all(all.map(({ update }) => update()));
    expect(made.map(({ id }) => emulator.service.templates.get(id).name)).toEqual(["b", "c", "d"]);
  });

  test("of a resource in the state is taken for a new one, whichever is checked first", async () => {
    const held = { ...inputs.template, __urn: "urn:held" };
    const fresh = { ...inputs.template, __urn: "urn:new" };
    const { outs } = await create("template");
    const state = { ...outs, __urn: "urn:held" };
    const first = provider().template;
    expect((await first.check?.(state, held))?.failures).toEqual([]);
    expect((await first.check?.({}, fresh))?.failures).toHaveLength(1);
    const second = provider().template;
    expect((await second.check?.({}, fresh))?.failures).toEqual([]);
    expect((await second.check?.(state, held))?.failures).toHaveLength(1);
  });

  test("that another resource of the program keeps is waited for in vain, and the error says whose it is", async () => {
    const { id } = await create("template");
    const { run, template } = provider();
    run.holders.note(id, urnOf("Template", "held"));
    await expect(template.create({ ...inputs.template, __urn: "urn:new" })).rejects.toThrow(
      `could not create template "worker": the name is that of the template "worker" (${id}) of the resource Template "held". ` +
        `Give another name, leave name out, or write adopt: "${id}"; to replace its holder, set deleteBeforeReplace [PODLUMI-NAME-TAKEN]`,
    );
  });

  test.each(["secret", "template"] as const)(
    "that podlumi makes up for a %s is another one where a renamed resource has the first",
    async (kind) => {
      const { id, outs } = await begin(kind);
      const renamed = `${urnOf(kind)}-renamed`;
      stateHas?.set(id, renamed);
      const { name } = outs as Properties;
      const next = provider()[kind];
      const made = await next.check({}, declared(kind));
      const kept = await next.check(
        declared(kind, { name, __autoname: name }),
        declared(kind, { __urn: renamed }),
      );
      expect([made.failures, kept.failures]).toEqual([[], []]);
      expect([made.inputs.name === name, kept.inputs.name]).toEqual([false, name]);
    },
  );

  test("is not checked without a key, and the check says so once", async () => {
    const said: string[] = [];
    const write = jest
      .spyOn(process.stderr, "write")
      .mockImplementation((text) => said.push(String(text)) > 0);
    const { template } = provider({ RUNPOD_API_KEY: "" });
    for (const urn of ["urn:1", "urn:2"]) {
      const checked = await template.check?.({}, { ...inputs.template, name: urn, __urn: urn });
      expect(checked?.failures).toEqual([]);
    }
    write.mockRestore();
    expect(said).toEqual([
      expect.stringMatching(/^podlumi could not check what the account has: no API key: set it with/),
    ]);
    await expect(template.create(inputs.template)).rejects.toThrow(
      /no API key: set it with .* \[PODLUMI-CONFIGURATION\]$/,
    );
  });
});
