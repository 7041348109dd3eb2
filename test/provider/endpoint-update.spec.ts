import type { Properties } from "../../provider/core/value";
import { declared, emulator, provider, urnOf } from "./process";

const kind = "serverlessEndpoint";
const pools = ["AMPERE_24"];
let count = 0;
const balancer = { type: "LOAD_BALANCER", scaling: { type: "REQUEST_COUNT", requestCount: 1 } };

/** An endpoint that is made with some settings, changed by somebody else, and then updated. Nothing differs afterwards. */
async function updated(before: Properties, elsewhere: object, after: Properties): Promise<Properties> {
  const { serverlessEndpoint: of } = provider();
  const whose = { name: "llm", __urn: urnOf(kind, `it${count++}`) };
  const made = await of.create(declared(kind, { ...whose, ...before }));
  emulator.service.endpoints.update(made.id, elsewhere);
  const news = declared(kind, { ...whose, ...before, ...after });
  const outs = (await of.update?.(made.id, made.outs, news))?.outs;
  expect((await of.read?.(made.id, outs))?.props).toEqual(outs);
  expect(await of.diff?.(made.id, { ...outs, __provider: "p" }, news)).toMatchObject({ changes: false });
  return { ...emulator.service.endpoints.get(made.id) };
}
const made = (env: Record<string, string>, name = "b") =>
  emulator.service.templates.create({ name, image: "org/app:1", serverless: true, env }).id;

test("exclusions that the program does not declare stay, as long as their pool does", async () => {
  const elsewhere = {
    gpu: { pools: [...pools, "ADA_24"], excludedTypes: ["NVIDIA L4", "NVIDIA GeForce RTX 4090"] },
  };
  const all = [...pools, "ADA_24"];
  const more = await updated({ gpu: { pools: all } }, elsewhere, { gpu: { pools: all, count: 2 } });
  expect(more.gpu).toMatchObject({ count: 2, excludedTypes: ["NVIDIA L4", "NVIDIA GeForce RTX 4090"] });
  const fewer = await updated({ gpu: { pools: all } }, elsewhere, { gpu: { pools } });
  expect(fewer.gpu).toMatchObject({ pools, excludedTypes: ["NVIDIA L4"] });
});

test("exclusions that the program takes out end", async () => {
  const after = await updated({ gpu: { pools, excludedTypes: ["NVIDIA L4"] } }, {}, { gpu: { pools } });
  expect(after.gpu).not.toHaveProperty("excludedTypes");
});

test("a CUDA constraint takes the place of the other one, whoever set it", async () => {
  const { id } = emulator.service.templates.create({
    name: "cuda",
    image: "org/app:1",
    serverless: true,
    allowedCudaVersions: ["12.8"],
  });
  const floor = await updated(
    { templateId: id, gpu: { pools } },
    {},
    { gpu: { pools, minCudaVersion: "12.4" } },
  );
  expect(floor.gpu).toMatchObject({ allowedCudaVersions: [], minCudaVersion: "12.4" });
  const list = { gpu: { pools, allowedCudaVersions: ["12.8"] } };
  const versions = await updated({ gpu: { pools } }, { gpu: { minCudaVersion: "12.4" } }, list);
  expect(versions.gpu).toMatchObject({ allowedCudaVersions: ["12.8"], minCudaVersion: null });
});

test.each<[string, Record<string, string>, string]>([
  ["of a load balancer is the platform's again", {}, "80"],
  ["is the template's", { PORT: "70" }, "70"],
])("a port that the program takes out with a new template %s", async (_title, env, port) => {
  const before = { ...balancer, templateId: made({}, "a"), env: { PORT: "90" } };
  const { env: after } = await updated(before, {}, { templateId: made(env), env: undefined });
  expect(after).toMatchObject({ PORT: port, PORT_HEALTH: "80", PODLUMI_MARK: expect.anything() });
});

test("a port that the program takes out is the platform's again", async () => {
  const before = { ...balancer, env: { PORT: "90", A: "1" } };
  expect((await updated(before, {}, { env: { A: "1" } })).env).toMatchObject({
    PORT: "80",
    PORT_HEALTH: "80",
  });
  expect((await updated(before, {}, { env: undefined })).env).not.toHaveProperty("A");
});

test("a port that somebody else set stays, and one that is missing stays missing", async () => {
  const port = { env: { PORT: "95", PODLUMI_MARK: "x" } };
  const { env } = await updated({ ...balancer, env: { A: "1" } }, port, {
    env: { A: "2" },
    templateId: made({}),
  });
  expect(env).toEqual({ A: "2", PORT: "95", PODLUMI_MARK: "x" });
});
