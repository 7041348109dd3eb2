import type { Properties } from "../../provider/value";
import { declared, emulator, heard, type Kind, provider } from "./process";

/** The variables of the only object, as the service has them. */
const variables = (kind: Kind) =>
  (kind === "pod" ? emulator.service.pods.list() : emulator.service.endpoints.list())[0]?.env;

describe.each<[Kind, string]>([
  ["pod", "/pods"],
  ["serverlessEndpoint", "/serverless"],
])("a %s whose responses lack env", (kind, root) => {
  const given = { name: "it", env: { A: "1", B: "1" }, expiresAfter: "8h" };

  async function made() {
    const { id, outs = {} } = await provider()[kind].create(declared(kind, given));
    for (const path of [root, `${root}/*`])
      emulator.faults.add({
        match: { method: "GET", path },
        when: "after",
        what: { blank: ["env"] },
        times: 0,
      });
    return { id, outs: outs as Properties };
  }

  test("keeps its variables and its time limit in the state", async () => {
    const { id, outs } = await made();
    const { props, inputs } = await provider()[kind].read(id, outs);
    expect(props).toEqual(outs);
    expect(inputs).toMatchObject({ env: given.env, expiresAfter: "8h" });
  });

  test.each<[string, Properties]>([
    ["a variable", { env: { A: "2", B: "1" } }],
    ["the time limit", { expiresAfter: "9h" }],
  ])("keeps its mark when %s changes: the update fails", async (_title, change) => {
    const { id, outs } = await made();
    const before = variables(kind);
    const news = declared(kind, { ...given, ...change });
    await expect(provider()[kind].update(id, outs, news)).rejects.toThrow(/PODLUMI-UNREADABLE/);
    expect(variables(kind)).toEqual(before);
    emulator.faults.clear();
    expect(await provider()[kind].update(id, outs, news)).toMatchObject({ outs: change });
  });
});

test.each<[string, Record<string, string>, Record<string, string>, RegExp]>([
  ["the variable before", { A: "1" }, {}, /^$/],
  ["the variables before", { A: "1", B: "1" }, {}, /^$/],
  ["the drift of another one", { A: "1", B: "1" }, { B: "theirs" }, /^env: not what the program says/],
])(
  "an update of a variable whose response has %s tells of the drift alone",
  async (_title, of, drift, tells) => {
    const { id, outs = {} } = await provider().pod.create(declared("pod", { name: "it", env: of }));
    emulator.service.pods.update(id, { env: { ...variables("pod"), ...drift } });
    const old = emulator.service.pods.get(id);
    emulator.faults.add({
      match: { method: "PATCH", path: "/pods/*" },
      when: "after",
      what: { answer: { status: 200, body: old } },
    });
    const news = declared("pod", { name: "it", env: { ...of, A: "2" } });
    const { said } = await heard(() => provider().pod.update(id, outs, news));
    expect(said).toMatch(tells);
  },
);

test("an endpoint whose responses lack env keeps its mark when a template is applied: the update fails", async () => {
  const template = { name: "t", image: "org/app:1", serverless: true, env: {} };
  const { id: templateId } = emulator.service.templates.create(template);
  const kind = "serverlessEndpoint";
  const { id, outs = {} } = await provider()[kind].create(declared(kind, { name: "it" }));
  const before = variables(kind);
  emulator.faults.add({ match: { method: "GET" }, when: "after", what: { blank: ["env"] }, times: 0 });
  const applied = provider()[kind].update(id, outs, declared(kind, { name: "it", templateId }));
  await expect(applied).rejects.toThrow(/PODLUMI-UNREADABLE/);
  expect(variables(kind)).toEqual(before);
});
