import type { Properties } from "../../provider/core/value";
import { send } from "../harness/account";
import {
  begin,
  create,
  declared,
  emulator,
  existing,
  haveInState,
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

  test.each(kindsOf)("of a %s that is taken fails in the check, and says by whom", async (kind, take) => {
    const { id } = take();
    const { failures } = (await provider()[kind].check?.({}, { ...inputs[kind], __urn: "urn:x" })) ?? {};
    expect(failures).toEqual([
      {
        property: "name",
        reason: expect.stringMatching(
          new RegExp(`is taken by the .* ${id}, which may be in use elsewhere\\.`),
        ),
      },
    ]);
    expect(
      emulator.requests.filter(({ method }) => method === "POST" || method === "GET").length,
    ).toBeLessThanOrEqual(4);
  });

  test.each([
    ["template", "templates"],
    ["registryAuth", "registries"],
  ] as const)(
    "of a %s that was deleted a moment ago, and that a list still shows, is free",
    async (kind, path) => {
      const { id } = await create(provider()[kind], kind);
      const other = await create(provider()[kind], kind, { name: "other" });
      const match = { method: "GET", path: `/${path}` };
      emulator.faults.add({ match, when: "before", what: { lag: 60_000 }, times: 0 });
      await send(emulator, "DELETE", `${path}/${id}`);
      const given = { ...inputs[kind], __urn: "urn:x" };
      expect((await provider()[kind].check({}, given)).failures).toEqual([]);
      const change = provider()[kind].diff(other.id, other.outs ?? {}, { ...other.outs, name: given.name });
      await expect(change).resolves.toBeDefined();
    },
  );

  test.each(kindsOf)("of a %s is retried while its holder may go away", async (kind, take, release) => {
    const { id } = take();
    setTimeout(() => release(id), 300);
    const made = await create(provider()[kind], kind);
    expect(existing()).toEqual([made.id]);
  });

  test("is free for the resource that holds it, and taken for another of the same program", async () => {
    const { template } = provider();
    const check = (urn: string, olds: Properties) =>
      template.check?.(olds, { ...inputs.template, __urn: urn });
    const { id, outs } = await create(template, "template");
    const next = provider().template;
    await next.diff?.(id, outs, { ...inputs.template });
    expect((await next.check?.({}, { ...inputs.template, __urn: "urn:template" }))?.failures).toEqual([]);
    expect((await check("urn:a", {}))?.failures).toEqual([]);
    expect((await check("urn:b", {}))?.failures).toEqual([
      {
        property: "name",
        reason:
          "is also the name of urn:a. Names of templates are unique in the account: give one of them another name [PODLUMI-NAME-TWICE]",
      },
    ]);
  });

  test("is to change of the resource that did not have it before, whichever of the two is checked first", async () => {
    const failuresOf = async (...urns: string[]) => {
      const { template } = provider();
      const given = (__urn: string) => ({ ...inputs.template, __urn });
      const check = (urn: string) => template.check(urn === "urn:old" ? given(urn) : {}, given(urn));
      const results = [await check(String(urns[0])), await check(String(urns[1]))];
      return results.flatMap(({ failures = [] }) => failures.map(({ reason }) => reason));
    };
    expect(await failuresOf("urn:old", "urn:new")).toEqual([
      expect.stringMatching(/the name of urn:old\. .*: give this one another name \[PODLUMI-NAME-TWICE\]$/),
    ]);
    expect(await failuresOf("urn:new", "urn:old")).toEqual([
      expect.stringMatching(
        /the name of urn:new\. .*: give the other one another name \[PODLUMI-NAME-TWICE\]$/,
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

  test("a new name that somebody else's object has fails before the update", async () => {
    const { id, outs = {} } = await create(provider().template, "template");
    const theirs = emulator.service.templates.create({ name: "theirs", image: "org/app:1" });
    const { template } = provider();
    const renamed = declared("template", { name: "theirs" });
    const { inputs: news } = await template.check(outs, renamed);
    await expect(template.diff(id, outs, news)).rejects.toThrow(
      `the name "theirs" is taken by the template ${theirs.id}`,
    );
    haveInState(theirs.id);
    await expect(provider().template.diff(id, outs, news)).resolves.toMatchObject({ changes: undefined });
  });

  test("that resources would have to swap fails in the preview; one that is free in the end does not", async () => {
    const names = ["a", "b", "c"];
    const urnFor = (name: string) => urnOf("Template", `of-${name}`);
    const states = new Map<string, { id: string; outs?: Properties }>();
    for (const name of names)
      states.set(name, await create(provider().template, "template", { name, __urn: urnFor(name) }));
    haveInState(...existing());
    const renamed = async (...to: string[]) => {
      const { template } = provider();
      for (const [index, name] of to.entries()) {
        const { id, outs = {} } = states.get(names[index] ?? "") ?? { id: "" };
        const { inputs: news } = await template.check(outs, { ...outs, name });
        await template.diff(id, outs, news);
      }
    };
    const says =
      /will not change template "a" \(\w+\): it is to get the name "a", and urn:\S+of-[ab] its present one.*NAME-OF-THIS-STACK/;
    await expect(renamed("b", "a")).rejects.toThrow(says);
    await expect(renamed("b", "c", "a")).rejects.toThrow(says);
    await renamed("b", "c", "d");
    await renamed("c", "b", "d");
  });

  test("of a resource in the state is taken for a new one, whichever is checked first", async () => {
    const held = { ...inputs.template, __urn: "urn:held" };
    const fresh = { ...inputs.template, __urn: "urn:new" };
    const { outs } = await create(provider().template, "template");
    const state = { ...outs, __urn: "urn:held" };
    const first = provider().template;
    expect((await first.check?.(state, held))?.failures).toEqual([]);
    expect((await first.check?.({}, fresh))?.failures).toHaveLength(1);
    const second = provider().template;
    expect((await second.check?.({}, fresh))?.failures).toHaveLength(1);
    expect((await second.check?.(state, held))?.failures).toHaveLength(1);
  });

  test("that another resource of the stack keeps is waited for in vain, and the error says whose it is", async () => {
    const { id } = await create(provider().template, "template");
    const { run, template } = provider();
    run.owners.note(id, { ...inputs.template, __urn: "urn:pulumi:dev::project::template::held" });
    await expect(template.create({ ...inputs.template, __urn: "urn:new" })).rejects.toThrow(
      /could not create template "worker": the name "worker" is that of urn:\S+::held \(template \w+\) in this stack\. .* write aliases/,
    );
  });

  test.each(["secret", "template"] as const)(
    "that podlumi makes up for a %s is another one where a renamed resource has the first",
    async (kind) => {
      const { id, outs } = await begin(provider()[kind], kind);
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

  test("that podlumi makes up is one that is free, also where its pattern has few and comes to some of them twice", async () => {
    const names = Array.from({ length: 8 }, (_, index) => `worker${index}`);
    for (const name of names)
      for (const digit of "0123456789")
        if (name !== "worker0" || digit !== "7")
          emulator.service.templates.create({ name: `${name}-${digit}`, image: "org/other:1" });
    const { run, template } = provider();
    const pattern = JSON.stringify({ pattern: "${name}-${num(1)}" });
    run.configure((key) => (key === "pulumi:autonaming" ? pattern : undefined));
    const made = (name: string) =>
      template.check({}, declared("template", { __urn: urnOf("template", name) }));
    expect(await made("worker0")).toMatchObject({ inputs: { name: "worker0-7" }, failures: [] });
    for (const name of names.slice(1))
      expect((await made(name)).failures).toEqual([
        {
          property: "name",
          reason: expect.stringMatching(/^the name "worker\d-\d" is taken by the template/),
        },
      ]);
  });

  test("that an earlier object of the resource still has is told as such", async () => {
    const { id } = await create(provider().template, "template");
    const { run, template } = provider();
    run.owners.note(id, { ...inputs.template, __urn: "urn:it" });
    await expect(template.create({ ...inputs.template, __urn: "urn:it" })).rejects.toThrow(
      /the name "worker" is still that of the template \w+, which this resource had before .* give the resource the option deleteBeforeReplace: true/,
    );
  });

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
      /no API key: the first message of this run says how to set it \[PODLUMI-CONFIGURATION\]$/,
    );
  });
});
