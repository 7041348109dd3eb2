import { deviations, expectation } from "../../provider/resources/serverless-endpoint/expectation";

const output = {
  text: "Hello there",
  usage: { tokens: 12, cached: null },
  labels: [
    { name: "cat", score: 0.9 },
    { name: "dog", score: 0.1 },
  ],
};

test.each<[string, unknown]>([
  ["nothing but an object", {}],
  ["a part of it", { usage: { tokens: 12 } }],
  ["null", { usage: { cached: null } }],
  ["a pattern that is found", { text: { $pattern: "^Hello\\b" } }],
  ["a length", { text: { $type: "string", $minLength: 11 } }],
  ["a range", { usage: { tokens: { $type: "integer", $minimum: 12, $maximum: 12 } } }],
  ["a list, item by item", { labels: [{ name: "cat" }, { name: "dog" }] }],
  [
    "a list with some item",
    { labels: { $minItems: 2, $contains: { name: "dog", score: { $maximum: 0.5 } } } },
  ],
])("an output is as expected when it has %s", (_title, expected) => {
  expect(expectation.safeParse(expected).error).toBeUndefined();
  expect(deviations(output, expected)).toEqual([]);
});

test.each<[string, unknown, string[]]>([
  [
    "another value and a missing one",
    { text: "Goodbye", usage: { cost: 1 } },
    [
      'output.text is "Hello there", which does not match verify.expect.text',
      "output.usage.cost is missing, which does not match verify.expect.usage.cost",
    ],
  ],
  [
    "a list of another length",
    { labels: [{ name: "cat" }] },
    [`output.labels is ${JSON.stringify(output.labels)}, which does not match verify.expect.labels`],
  ],
  [
    "an item in another place",
    { labels: [{ name: "dog" }, {}] },
    ['output.labels[0].name is "cat", which does not match verify.expect.labels[0].name'],
  ],
  [
    "an object where there is a text",
    { text: {} },
    ['output.text is "Hello there", which does not match verify.expect.text'],
  ],
  [
    "one keyword of several",
    { usage: { tokens: { $minimum: 1, $maximum: 5 } } },
    ["output.usage.tokens is 12, which does not match verify.expect.usage.tokens.$maximum"],
  ],
  [
    "a number as text",
    { usage: { tokens: { $pattern: "12" } } },
    ["output.usage.tokens is 12, which does not match verify.expect.usage.tokens.$pattern"],
  ],
])("an output that has %s is told with its place", (_title, expected, told) => {
  expect(deviations(output, expected)).toEqual(told);
});

test("an output too long to show is described, since a part of it could be a part of a secret", () => {
  expect(deviations("x".repeat(1000), "y")).toEqual([
    "output is of type string, 1002 characters of JSON, which does not match verify.expect",
  ]);
});

test("a property can have any name that an output can have", () => {
  const expected = { constructor: "Ferrari", toString: { $minLength: 1 } };
  expect(expectation.safeParse(expected).error).toBeUndefined();
  expect(deviations({ constructor: "Ferrari", toString: "race()" }, expected)).toEqual([]);
  expect(deviations({ constructor: "Lotus", toString: "race()" }, expected)).toEqual([
    'output.constructor is "Lotus", which does not match verify.expect.constructor',
  ]);
});
