import { didYouMean } from "../../provider/did-you-mean";
import { gpus } from "../emulator/catalog";

test.each([
  ["RTX 4900", '"NVIDIA GeForce RTX 4090"'],
  ["NVIDIA GeForce RTX 4900", '"NVIDIA GeForce RTX 4090"'],
  ["NVIDIA L44", '"NVIDIA L4"'],
  ["RTX 4090", '"NVIDIA GeForce RTX 4090"'],
])("%s suggests %s first", (given, first) => {
  expect(didYouMean(given, gpus)).toMatch(new RegExp(`^; did you mean ${first}`));
});

test("a short word suggests nothing that shares hardly a letter with it", () => {
  expect(didYouMean("foo", ["Pod", "Secret"])).toBe("");
  expect(didYouMean("pdo", ["Pod", "Secret"])).toBe('; did you mean "Pod"?');
});
