import { declared, emulator, provider } from "./process";

const arn = "arn:aws:ecr:us-east-2:123456789012:repository/app";
const name = "123456789012.dkr.ecr.us-east-2.amazonaws.com/app";

test.each([
  [arn, `${arn}:latest`, "update"],
  [`${arn}:v1`, `${name}:v1`, "update"],
  [`${name}:v1`, `${arn}:v1`, "update"],
  [`${arn}:v1`, `${arn}:v2`, "replace"],
  [`${arn}:v1`, `${name}:v2`, "replace"],
  // Nobody says what an image without a tag is.
  [`${arn}:latest`, arn, "replace"],
])("a delegation of %s that is to be of %s: %s", async (before, after, change) => {
  const { registryDelegation: of } = provider();
  const { id, outs } = await of.create(declared("registryDelegation", { name: "ecr", resource: before }));
  const state = { ...outs, __provider: "p" };
  const news = declared("registryDelegation", { name: "ecr", resource: after });
  const replaces = change === "replace" ? ["resource"] : [];
  expect(await of.diff?.(id, state, news)).toMatchObject({ changes: undefined, replaces });
  if (change === "replace") return;
  emulator.requests.splice(0);
  const updated = (await of.update?.(id, state, news))?.outs;
  expect(updated).toMatchObject({ resource: after });
  expect(await of.diff?.(id, { ...updated, __provider: "p" }, news)).toMatchObject({ changes: false });
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});
