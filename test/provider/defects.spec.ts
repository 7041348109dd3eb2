import type { Readiness } from "../../provider/core/kind";
import { networkVolume } from "../../provider/resources/network-volume";
import { pod } from "../../provider/resources/pod";
import { begin, create, declared, heard, provider } from "./process";

// An error that nobody has foreseen says where it is: without that, no report of it helps.

const trace = /TypeError: .*\n +at .*[\s\S]*\n\[PODLUMI-DEFECT\]$/;

afterEach(() => jest.restoreAllMocks());

test("in a request about an object of the state", async () => {
  const { id, outs } = await create("networkVolume");
  jest.spyOn(networkVolume, "read").mockRejectedValue(new TypeError("x is not a function"));
  const read = provider().networkVolume.read(id, outs);
  await expect(read).rejects.toThrow(/^could not read network volume "data" \(\w+\): TypeError: x is/);
  await expect(read).rejects.toThrow(trace);
});

test("without what is secret, and where it leaves an object in the state", async () => {
  jest
    .spyOn(pod.readiness as Readiness, "make")
    .mockRejectedValue(new TypeError("hunter22 is not a function"));
  const made = begin("pod", { env: { TOKEN: "hunter22" } });
  await expect(made).rejects.toMatchObject({ id: expect.any(String), properties: { name: "it-391c00" } });
  await expect(made).rejects.toThrow(/TypeError: \[secret\] is not a function/);
  await expect(made).rejects.toThrow(trace);
});

test("in a check", async () => {
  jest.spyOn(networkVolume, "list").mockRejectedValue(new TypeError("x is not a function"));
  const check = provider().networkVolume.check(undefined, declared("networkVolume"));
  await expect(check).rejects.toThrow(trace);
});

test("in a look that can do without an answer", async () => {
  jest.spyOn(networkVolume, "read").mockRejectedValue(new TypeError("x is not a function"));
  const adopting = declared("networkVolume", { adopt: "vol0123456" });
  await expect(provider().networkVolume.check(undefined, adopting)).rejects.toThrow(trace);
});

test("in a look that a check begins ahead", async () => {
  jest.spyOn(networkVolume, "list").mockRejectedValue(new TypeError("x is not a function"));
  const given = declared("pod", { __kinds: { NetworkVolume: ["size"] } });
  const { said } = await heard(() => provider().pod.check(undefined, given));
  expect(said).toMatch(/^podlumi could not look ahead: TypeError: x is not/);
  expect(said.trim()).toMatch(trace);
});
