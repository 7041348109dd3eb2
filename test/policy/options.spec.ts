import * as sdk from "../../sdk/policy";

const { podlumiPolicies, ...policies } = sdk;

/** Options as a program in JavaScript may have them. */
const wrong = (options: object) => options as never;

test.each<[options: object, error: string]>([
  [
    { maxHourlycost: 1 },
    'no option "maxHourlycost"; did you mean "maxHourlyCost"? [PODLUMI-UNKNOWN-PROPERTY]',
  ],
  [{ allowedClods: ["SECURE"] }, 'no option "allowedClods"; did you mean "allowedClouds"?'],
  [{ maxWorkers: Number(undefined) }, ": maxWorkers must be a finite number, not NaN [PODLUMI-INVALID]"],
  [{ maxIdleTimeout: Number.NaN }, ": maxIdleTimeout must be a finite number, not NaN"],
  [{ maxHourlyCost: "5" }, ': maxHourlyCost must be a finite number, not "5"'],
  [{ maxStackHourlyCost: null }, ": maxStackHourlyCost must be a finite number, not null"],
  [{ allowedGpus: "NVIDIA L4" }, ': allowedGpus must be a list of strings, not "NVIDIA L4"'],
  [{ allowedDataCenters: [undefined] }, ": allowedDataCenters must be a list of strings, not [null]"],
  [{ requiredTags: "team" }, ': requiredTags must be a list of strings, not "team"'],
  [{ protectedData: "false" }, ': protectedData must be true or false, not "false"'],
  [
    { enforcementLevel: "mandatry" },
    ': enforcementLevel must be "advisory", "mandatory", "remediate" or "disabled"',
  ],
])("a pack with %j is refused when it is created", (options, error) => {
  expect(() => podlumiPolicies("team", wrong(options))).toThrow(
    `podlumiPolicies${error.startsWith(":") ? "" : " has "}${error}`,
  );
});

test.each<[name: keyof typeof policies, options: object, error: string]>([
  ["maxHourlyCost", {}, "maxHourlyCost: usd must be a finite number, not undefined"],
  ["maxStackHourlyCost", { usd: Number.NaN }, "maxStackHourlyCost: usd must be a finite number, not NaN"],
  ["maxWorkers", { maximum: 5 }, 'maxWorkers has no option "maximum"'],
  ["requiredIdleTimeout", { maks: 60 }, 'requiredIdleTimeout has no option "maks"; did you mean "max"?'],
  ["requiredIdleTimeout", { max: Number.NaN }, "requiredIdleTimeout: max must be a finite number, not NaN"],
  ["allowedGpus", { allowed: "NVIDIA L4" }, "allowedGpus: allowed must be a list of strings"],
  ["allowedClouds", {}, "allowedClouds: allowed must be a list of strings, not undefined"],
  ["allowedDataCenters", {}, "allowedDataCenters: allowed must be a list of strings, not undefined"],
  ["requiredTags", { allowed: {} }, "requiredTags: keys must be a list of strings, not undefined"],
  [
    "requiredTags",
    { keys: ["env"], allowed: { env: "dev" } },
    'requiredTags: allowed must be a list of strings for each key, not {"env":"dev"}',
  ],
  ["noPublicTemplates", { level: "advisory" }, 'noPublicTemplates has no option "level"'],
  ["protectedData", { protect: true }, 'protectedData has no option "protect"'],
  ["noPlainTextSecrets", { enforcementLevel: "" }, "noPlainTextSecrets: enforcementLevel must be"],
])("%s with %j is refused when it is created", (name, options, error) => {
  expect(() => (policies[name] as (options: object) => unknown)(options)).toThrow(error);
});

test("limits that are left out do not apply", () => {
  const { name } = policies.requiredIdleTimeout({ max: undefined, enforcementLevel: undefined });
  expect(name).toBe("required-idle-timeout");
});
