import { Contract } from "../conformance/contract";
import { Recorder } from "../conformance/recorder";
import { emulate } from "./client";

const listPods = {
  operationId: "listPods",
  responses: { 200: { content: { "application/json": { schema: { type: "object" } } } } },
};

test("the conformance run reports a response that is no JSON, and continues", async () => {
  const { emulator } = await emulate();
  const contract = new Contract({ components: { schemas: {} }, paths: { "/v2/pods": { get: listPods } } });
  const recorder = new Recorder(emulator, contract);
  await recorder.start();
  const page = { status: 200, text: "<p>Sorry</p>", type: "application/json" };
  emulator.faults.add({ match: { path: "/pods" }, when: "after", what: { answer: page } });
  expect(await recorder.send("GET", "/pods", { expect: 200 })).toBe(page.text);
  expect(recorder.violations).toEqual([expect.stringMatching(/^GET \/v2\/pods → 200: .*must be object/)]);
  expect(await recorder.send("GET", "/pods", { expect: 200 })).toEqual({ pods: [] });
  expect(recorder.violations).toHaveLength(1);
});
