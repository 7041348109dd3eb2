import { didYouMean } from "../../provider/did-you-mean";
import { gpus } from "../../sdk/emulator/service/catalog";

test.each([
  ["RTX 4900", '"NVIDIA GeForce RTX 4090"'],
  ["NVIDIA GeForce RTX 4900", '"NVIDIA GeForce RTX 4090"'],
  ["NVIDIA L44", '"NVIDIA L4"'],
  ["RTX 4090", '"NVIDIA GeForce RTX 4090"'],
])("%s suggests %s first", (given, first) => {
  expect(didYouMean(given, gpus)).toMatch(new RegExp(`^; did you mean ${first}`));
});

test.each([
  ["L4", '"NVIDIA L4"'],
  ["nvidia l40", '"NVIDIA L40"'],
])("%s suggests nothing beside %s, which has its words", (given, only) => {
  expect(didYouMean(given, gpus)).toBe(`; did you mean ${only}?`);
});

test("A100 suggests the GPUs that have it as a part of a word, too", () => {
  expect(didYouMean("A100", gpus)).toBe('; did you mean "NVIDIA A100 80GB PCIe" or "NVIDIA A100-SXM4-80GB"?');
});

test("a short word suggests nothing that shares hardly a letter with it", () => {
  expect(didYouMean("foo", ["Pod", "Secret"])).toBe("");
  expect(didYouMean("pdo", ["Pod", "Secret"])).toBe('; did you mean "Pod"?');
});
