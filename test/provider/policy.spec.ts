import { readFileSync } from "node:fs";
import { policyTable } from "../../provider/client/policy";

test("the README shows the table of what is tried again as it is", () => {
  expect(readFileSync("README.md", "utf8")).toContain(policyTable());
});
