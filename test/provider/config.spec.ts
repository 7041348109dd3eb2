import { configOf, settings, unknownKeys } from "../../provider/config";
import { Run } from "../../provider/core/call/run";

const none = () => undefined;
const of = (values: Record<string, string>) => (key: string) => values[key];

test("the stack configuration comes before the environment, and that before the default", () => {
  const environment = {
    RUNPOD_API_KEY: "from-environment",
    RUNPOD_API_URL: "https://environment.example/v2",
  };
  expect(settings(of({ "podlumi:apiKey": "from-stack" }), environment)).toEqual({
    apiKey: "from-stack",
    apiUrl: "https://environment.example/v2",
    graphqlUrl: "https://api.runpod.io/graphql",
    queueUrl: "https://api.runpod.ai",
  });
});

test("an empty variable counts as none, an empty configuration is an error and not another account", () => {
  const environment = { RUNPOD_API_KEY: "key", RUNPOD_QUEUE_URL: " " };
  expect(settings(none, environment).queueUrl).toBe("https://api.runpod.ai");
  expect(() => settings(of({ "podlumi:apiKey": "" }), environment)).toThrow(
    /^podlumi:apiKey \(apiKey of a Provider\) is empty/,
  );
});

test("of the arguments of a provider, a key that is null is empty, and another one that is null is not set", () => {
  expect(configOf({ apiKey: null, apiUrl: null, version: "1" })).toEqual({ "podlumi:apiKey": "" });
  expect(configOf({ apiKey: "key" })).toEqual({ "podlumi:apiKey": "key" });
});

test("a missing key says both ways to set it", () => {
  expect(() => settings(none, {})).toThrow(/pulumi config set --secret podlumi:apiKey`.* RUNPOD_API_KEY/);
});

test.each([
  ["white space", "rpa_abc def"],
  ["a character that nobody sees", "rpa_abc\u200bdef"],
  ["letters that only look like ASCII", "rpa_\u0430bc"],
  ["a letter beyond ASCII", "rpa_\u00e9"],
  ["a control character", "rpa_abc\u0000"],
  ["quotes around it", '"rpa_abc"'],
  ["single quotes around it", "'rpa_abc'\n"],
])("a key with %s is refused, in a preview too, and not repeated", (_title, key) => {
  const reason =
    "RUNPOD_API_KEY must not contain quotes, white space, invisible characters, or letters beyond ASCII: copy the key again";
  expect(() => settings(none, { RUNPOD_API_KEY: key })).toThrow(new Error(reason));
  expect(new Run({ RUNPOD_API_KEY: key }).faults()).toMatchObject([{ property: "", reason }]);
});

test.each([
  ["http to another machine", "http://api.example/v2", /https:\/\//],
  ["another protocol", "ftp://127.0.0.1", /https:\/\//],
  ["a name that only looks like loopback", "http://127.0.0.1.example", /https:\/\//],
  ["no address at all", "api.example", /address such as https:\/\/api\.runpod\.io\/v2/],
  ["a password in the address", "https://me:hunter22@api.example", /without user name/],
  ["a query", "https://api.example?key=1", /without user name, query/],
])("%s is refused, and the message names the key", (_title, value, reason) => {
  const refused = () => settings(of({ "podlumi:apiKey": "key", "podlumi:apiUrl": value }), {});
  expect(refused).toThrow(reason);
  expect(refused).toThrow(/^podlumi:apiUrl/);
  expect(refused).not.toThrow(/hunter22/);
});

test("an address of RunPod that is not that of REST v2 is refused, with the right one", () => {
  const given = (apiUrl: string) =>
    settings(of({ "podlumi:apiKey": "key", "podlumi:apiUrl": apiUrl }), {}).apiUrl;
  for (const address of ["https://api.runpod.io", "https://rest.runpod.io/v1"])
    expect(() => given(address)).toThrow(
      /^podlumi:apiUrl \(apiUrl of a Provider\) must be the address of REST v2: https:\/\/api\.runpod\.io\/v2$/,
    );
  expect(given("https://gateway.example/runpod/")).toBe("https://gateway.example/runpod");
});

test("the address of queues has no /v2, which the requests add, and the message does not repeat what may be secret in it", () => {
  const given = (queueUrl: string) =>
    settings(of({ "podlumi:apiKey": "key", "podlumi:queueUrl": queueUrl }), {}).queueUrl;
  expect(() => given("https://gateway.example/4k9x2m/v2/")).toThrow(
    /^podlumi:queueUrl \(queueUrl of a Provider\) must not end in \/v2, which podlumi adds$/,
  );
  expect(given("https://gateway.example/v2/queues/")).toBe("https://gateway.example/v2/queues");
});

test("a misspelt key is named with the nearest right one", () => {
  expect(unknownKeys(["podlumi:apikey", "podlumi:apiUrl", "podlumi:version", "other:apikey"])).toEqual([
    'unknown configuration key podlumi:apikey; did you mean "podlumi:apiKey"?',
  ]);
});

test("a bad value from the environment is named with its variable", () => {
  expect(() => settings(none, { RUNPOD_API_KEY: "key", RUNPOD_GRAPHQL_URL: "http://api.example" })).toThrow(
    /^RUNPOD_GRAPHQL_URL/,
  );
});

test.each(["http://127.0.0.1:4010/v2", "http://localhost:4010/v2/", "http://[::1]:4010/v2"])(
  "%s is loopback and needs no https",
  (address) => {
    const { apiUrl } = settings(of({ "podlumi:apiKey": "key", "podlumi:apiUrl": address }), {});
    expect(apiUrl).toBe(address.replace(/\/$/, ""));
  },
);

test("a command that the emulator runs reaches nothing but this machine, whatever its stack says", () => {
  const environment = {
    RUNPOD_API_KEY: "emulator",
    RUNPOD_API_URL: "http://127.0.0.1:4010/v2",
    RUNPOD_GRAPHQL_URL: "http://127.0.0.1:4010/graphql",
    RUNPOD_QUEUE_URL: "http://127.0.0.1:4010/queue",
    PODLUMI_EMULATED: "1",
  };
  expect(settings(of({ "podlumi:apiKey": "real" }), environment).apiUrl).toBe("http://127.0.0.1:4010/v2");
  const real = { "podlumi:apiUrl": "https://gateway.example/v2", "podlumi:apiKey": "real" };
  expect(() => settings(of(real), environment)).toThrow(
    /^podlumi:apiUrl \(apiUrl of a Provider\) leads to gateway\.example, and this command/,
  );
});

test("a preview needs no key, but says at once that an address is bad", () => {
  expect(new Run({}).faults()).toEqual([]);
  expect(new Run({ RUNPOD_API_URL: "http://api.example" }).faults()).toMatchObject([
    { property: "", reason: expect.stringMatching(/^RUNPOD_API_URL must begin with https/) },
  ]);
});
