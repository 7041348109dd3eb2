import { Command, runsForChange } from "../../provider/engine/command";

const shell = ["/bin/sh", "pulumi-resource-podlumi", "127.0.0.1:4000"];
const command = (line: string, environment?: NodeJS.ProcessEnv) =>
  new Command([shell, line.split(" "), ["bash"]], environment);

test.each([
  ["/opt/pulumi destroy --yes", true],
  ["pulumi --cwd app destroy", true],
  ["pulumi down", true],
  ["C:/bin/pulumi.exe dn", true],
  ["/Users/A B/bin/pulumi destroy", true],
  ["pulumi do delete", true],
  ["pulumi up --yes", false],
  ["pulumi update", false],
  ["pulumi up -m destroy", false],
  ["pulumi -C destroy up", false],
  ["pulumi watch", false],
  ["pulumi destroy --stack up", true],
  ["pulumi destroy -m update", true],
  ["pulumi --stack up destroy", true],
  ["pulumi --color=never -v 3 --non-interactive -Q destroy", true],
  ["pulumi --tracing destroy up", false],
  ["pulumi -e up --target do", false],
  ["pulumi --cwd", false],
  ["pulumi -yf destroy", true],
  ["pulumi -ysdev destroy", true],
])("%s asks for deletions: %s", (line, expected) => {
  expect(command(line).asksForDeletions).toBe(expected);
});

test("without the engine among the processes above, nothing shows the command", () => {
  expect(command("node destroy").asksForDeletions).toBeUndefined();
  expect(new Command([]).asksForDeletions).toBeUndefined();
});

test.each([
  ["pulumi up --config-file other.yaml --yes", "other.yaml"],
  ["pulumi up --config-file=other.yaml", "other.yaml"],
  ["pulumi up", undefined],
])("%s has its configuration in %s", (line, expected) => {
  expect(command(line).configFile).toBe(expected);
});

test.each([
  ["pulumi up --yes", true],
  ["pulumi --cwd up update", true],
  ["pulumi watch", true],
  ["pulumi preview", false],
  ["node up", undefined],
])("%s changes what it previews: %s", (line, expected) => {
  expect(command(line).isUpdate).toBe(expected);
});

test.each([
  ["pulumi refresh --run-program --yes", true],
  ["pulumi destroy --run-program", true],
  ["pulumi dn", true],
  ["pulumi up --refresh", false],
  ["pulumi watch", false],
  ["pulumi env run org/prod -- node deploy.js", false],
  ["node refresh", undefined],
])("%s only reads the program: %s", (line, expected) => {
  expect(command(line).onlyReadsProgram).toBe(expected);
});

test.each<[above: string, below: string[], expected: boolean | undefined]>([
  ["pulumi up", [], true],
  ["pulumi up", ["pulumi stack output --stack dev"], true],
  ["pulumi destroy --run-program", [], false],
  ["node deploy.js", ["pulumi up --yes --stack dev"], true],
  ["node deploy.js", ["pulumi refresh --run-program --stack acme/shop/dev"], false],
  ["pulumi env run org/prod -- node deploy.js", ["pulumi up --stack dev"], true],
  [
    "node deploy.js",
    ["pulumi up --stack dev", "pulumi refresh --stack prod", "pulumi preview --stack dev"],
    true,
  ],
  ["node deploy.js", ["pulumi up --stack prod", "pulumi dn --stack dev"], false],
  ["node deploy.js", ["pulumi up --stack one/dev", "pulumi refresh --stack two/dev"], undefined],
  ["node deploy.js", ["pulumi up --stack dev", "pulumi refresh"], undefined],
  ["pulumi refresh --run-program", ["pulumi up --stack dev"], undefined],
  ["node deploy.js", ["pulumi up --stack prod"], undefined],
  ["node deploy.js", [""], undefined],
  ["", [], undefined],
])("below %s and above %j, the program of the stack dev runs for a change: %s", (above, below, expected) => {
  const started = below.map((line) => line.split(" "));
  expect(runsForChange("dev", command(above), started)).toBe(expected);
});

test.each([
  ["pulumi up --target urn", true],
  ["pulumi up --target=urn --yes", true],
  ["pulumi up -yt urn", true],
  ["pulumi destroy -yturn:pulumi:dev", true],
  ["pulumi destroy -x urn", true],
  ["pulumi destroy -xurn:pulumi:dev", true],
  ["pulumi refresh -yx=urn", true],
  ["pulumi up -mtext -sdev-x", false],
  ["pulumi up --exclude urn", true],
  ["pulumi destroy --exclude-protected", true],
  ["pulumi up --yes --stack test", false],
  ["node up --target urn", undefined],
])("%s leaves out a part of the program: %s", (line, expected) => {
  expect(command(line).isPartial).toBe(expected);
});

test.each([
  ["pulumi up", { PULUMI_OPTION_TARGET: "urn:pulumi:dev" }, true],
  ["pulumi destroy", { PULUMI_OPTION_EXCLUDE_PROTECTED: "true" }, true],
  ["pulumi destroy", { PULUMI_OPTION_TARGET: "" }, false],
  ["node up", { PULUMI_OPTION_TARGET: "urn" }, undefined],
])("%s with %j leaves out a part of the program: %s", (line, environment, expected) => {
  expect(command(line, environment).isPartial).toBe(expected);
});

test("a flag in the environment hides no command, and one of the command counts more", () => {
  const environment = { PULUMI_OPTION_STACK: "org/shop/dev", PULUMI_OPTION_CONFIG_FILE: "ci.yaml" };
  const own = (line: string) => {
    const { asksForDeletions, stackFlags, configFile } = command(line, environment);
    return [asksForDeletions, stackFlags, configFile];
  };
  expect(own("pulumi destroy --yes")).toEqual([true, ["--stack", "org/shop/dev"], "ci.yaml"]);
  expect(own("pulumi up -s prod")).toEqual([false, ["--stack", "prod"], "ci.yaml"]);
  expect(own("pulumi up --config-file=a.yaml -s=prod")).toEqual([false, ["--stack", "prod"], "a.yaml"]);
});

test.each([
  ["pulumi refresh", { PULUMI_OPTION_RUN_PROGRAM: "true" }, true],
  ["pulumi refresh", { PULUMI_OPTION_RUN_PROGRAM: "false", PULUMI_RUN_PROGRAM: "true" }, false],
  ["pulumi refresh --run-program", {}, true],
  ["pulumi refresh --run-program=false", { PULUMI_RUN_PROGRAM: "true" }, false],
  ["pulumi refresh", { PULUMI_RUN_PROGRAM: "true" }, true],
  ["pulumi refresh", {}, false],
])("%s with %j asks the providers of the program: %s", (line, environment, expected) => {
  expect(command(line, environment).runsProgram).toBe(expected);
});

test.each([
  ["pulumi up --continue-on-error", {}, true],
  ["pulumi up --continue-on-error=false", { PULUMI_CONTINUE_ON_ERROR: "true" }, false],
  ["pulumi up", { PULUMI_CONTINUE_ON_ERROR: "true" }, true],
  ["pulumi up", {}, false],
])("%s with %j continues on error: %s", (line, environment, expected) => {
  expect(command(line, environment).continuesOnError).toBe(expected);
});

test.each([
  ["pulumi refresh --yes --clear-pending-creates", true],
  ["pulumi refresh --clear-pending-creates=false", false],
  ["pulumi refresh --import-pending-creates urn --import-pending-creates id", true],
  ["pulumi refresh --yes", undefined],
])("%s clears pending creates: %s", (line, expected) => {
  expect(command(line).clearsPendingCreates).toBe(expected);
});

test.each([
  ["pulumi destroy --yes", []],
  ["pulumi destroy -s dev --yes", ["--stack", "dev"]],
  ["pulumi -s=dev destroy", ["--stack", "dev"]],
  ["pulumi destroy --stack=org/shop/dev", ["--stack", "org/shop/dev"]],
  ["pulumi destroy -ys dev", ["--stack", "dev"]],
  ["pulumi destroy -fsshop/dev", ["--stack", "shop/dev"]],
  ["pulumi destroy -mtest --stack prod", ["--stack", "prod"]],
  ["node destroy", undefined],
])("the stack of `%s` is named by %j", (line, flags) => {
  expect(command(line).stackFlags).toEqual(flags);
});

test("a message that begins like a flag names no stack", () => {
  expect(new Command([["pulumi", "destroy", "-m", "- use it"]]).stackFlags).toEqual([]);
});

test.each([
  ["pulumi preview --diff", true],
  ["pulumi up --diff=false --yes", false],
  ["pulumi up --diff=false --diff", true],
  ["pulumi up -d", false],
  ["node up --diff", undefined],
])("%s shows a diff: %s", (line, expected) => {
  expect(command(line).showsDiff).toBe(expected);
});
