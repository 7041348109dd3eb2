import type { Properties } from "../../provider/core/value";
import { declared, emulator, provider } from "./process";

/** What a pod from a template is replaced for, when the program declares more than before. */
async function replaced(template: object | undefined, edit: Properties, before: Properties = {}) {
  const { pod } = provider();
  const made = template && emulator.service.templates.create({ name: "t", image: "org/app:1", ...template });
  const first = { name: "trainer", templateId: made?.id, ...before };
  const { id, outs } = await pod.create(declared("pod", first));
  const state = { ...outs, __provider: "p" };
  const difference = await provider().pod.diff?.(id, state, declared("pod", { ...first, ...edit }));
  return difference?.replaces;
}
const gpu = (more: Properties) => ({ gpu: { id: "NVIDIA L4", ...more } });

test.each<[string, object | undefined, Properties, string[]]>([
  ["SSH off, which the template has on", {}, { startSsh: false }, ["startSsh"]],
  ["SSH on, as the template has it", {}, { startSsh: true }, []],
  ["Jupyter off, as the template has it", { startJupyter: false }, { startJupyter: false }, []],
  ["SSH off without a template", undefined, { startSsh: false }, []],
  ["SSH on without a template", undefined, { startSsh: true }, ["startSsh"]],
  ["no CUDA constraint", { allowedCudaVersions: ["12.8"] }, gpu({ allowedCudaVersions: [] }), ["gpu"]],
  [
    "the template's CUDA versions",
    { allowedCudaVersions: ["12.8"] },
    gpu({ allowedCudaVersions: ["12.8"] }),
    [],
  ],
  ["no CUDA constraint, as the template has it", {}, gpu({ allowedCudaVersions: [] }), []],
  ["a floor instead of the template's versions", {}, gpu({ minCudaVersion: "12.4" }), ["gpu"]],
])(
  "%s: of what no answer tells, a pod has what its template has",
  async (_title, template, edit, replaces) => {
    expect(await replaced(template, edit)).toEqual(replaces);
  },
);

test("what the program declared before counts, and not the template", async () => {
  expect(await replaced({}, { args: "x" }, { startSsh: false })).toEqual([]);
  expect(await replaced({ name: "u" }, { startSsh: true }, { startSsh: false })).toEqual(["startSsh"]);
});

test("a flag replaces the pod when nobody can tell what its template had", async () => {
  const { pod } = provider();
  const { id: templateId } = emulator.service.templates.create({ name: "t", image: "org/app:1" });
  const { id, outs } = await pod.create(declared("pod", { name: "trainer", templateId }));
  const state = { ...outs, __provider: "p" };
  const news = declared("pod", { name: "trainer", templateId, startSsh: true });
  const withoutKey = provider({ RUNPOD_API_KEY: "" }).pod;
  expect(await withoutKey.diff?.(id, state, news)).toMatchObject({ replaces: ["startSsh"] });
});
