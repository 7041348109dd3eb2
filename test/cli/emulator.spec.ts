import { CommandLine, until } from "./cli";

const cli = new CommandLine();
afterAll(() => cli.close());

test("the service runs on this machine, prints the settings to paste, and ends when it is told to", async () => {
  const emulator = cli.start(["emulator", "--port", "0", "--fast"], process.env);
  await until(() => emulator.printed.out.includes("RUNPOD_QUEUE_URL"));
  const settings = [...emulator.printed.out.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [
    name,
    value,
  ]);
  const { code, out } = await cli.start(["ls"], { ...process.env, ...Object.fromEntries(settings) }).ended;
  expect({ code, out }).toEqual({ code: 0, out: "nothing\n" });
  const page = /^Page +(\S+)$/m.exec(emulator.printed.out)?.[1] ?? "";
  expect(await (await fetch(page)).text()).toContain("<html");
  emulator.stop();
  expect((await emulator.ended).code).toBe(0);
});

test("its options are its own", async () => {
  const { code, out } = await cli.start(["emulator", "--help"], process.env).ended;
  expect(code).toBe(0);
  expect(out).toContain("--workers-quota");
});
