import { readFileSync } from "node:fs";
import { requests, situations } from "../../provider/client/policy";

test("the README tells for how long each thing is retried", () => {
  const readme = readFileSync("README.md", "utf8").replace(/\s+/g, " ");
  expect(readme).toContain(`Reads, changes and deletes are retried for ${requests.read.seconds} s`);
  expect([requests.change.seconds, requests.delete.seconds]).toEqual([
    requests.read.seconds,
    requests.read.seconds,
  ]);
  expect(readme).toContain(`**A name that is taken** is retried for ${situations.nameTaken.seconds} s`);
  expect(readme).toContain(
    `is retried for ${situations.inUse.seconds} s, or for \`${situations.inUse.argument}\``,
  );
  expect(readme).toContain(`fails at once, or after \`${situations.noRoom.argument}\``);
  expect([situations.noRoom.seconds, situations.hostFull.seconds]).toEqual([0, 0]);
});
