import { run } from "./progress.cjs";

const script = (code: string) => ["-e", code];

let written: string;

beforeEach(() => {
  written = "";
  jest.spyOn(process.stderr, "write").mockImplementation((text) => {
    written += text;
    return true;
  });
});

afterEach(() => jest.restoreAllMocks());

test("a command is announced when it starts and when it ends", async () => {
  await run("counting (about 1 s)", process.execPath, script(""));
  expect(written).toMatch(/^counting \(about 1 s\) …\n(.*\n)?counting: done in \d+ s\n$/);
});

test("progress says what is done, and shows the last line that is no warning of npm", async () => {
  const often = setInterval;
  jest.spyOn(global, "setInterval").mockImplementation((beat: () => void) => often(beat, 20));
  const prints =
    'console.log("fetching"); console.error("npm warn EBADENGINE Unsupported engine"); setTimeout(() => {}, 500)';
  await run("installing (once)", process.execPath, script(prints));
  expect(written).toMatch(/^installing: \d+ s, fetching$/m);
  expect(written).not.toContain("EBADENGINE");
});

test("the error of a command that fails carries the end of its output", async () => {
  const failing = run("failing", process.execPath, script('console.error("no network"); process.exit(3)'));
  await expect(failing).rejects.toThrow(/exit code 3\nno network$/);
});

test("a command that goes beyond its limit is stopped", async () => {
  const endless = run("hanging", process.execPath, script("setInterval(() => {}, 1000)"), { limit: 200 });
  await expect(endless).rejects.toThrow(/was stopped by SIGTERM/);
});
