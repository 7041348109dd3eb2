import { SshKeys } from "podlumi";
import { emulatedStack, emulator, stack } from "../harness/emulated";
import { testLong } from "../harness/long";
import { oneCheckpoint, type Run } from "../harness/stack";

const ada = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIADA ada@example.com";
const grace = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABGRACE grace@example.com";
const theirs = "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItTHEIRS somebody else";

emulatedStack("each", { env: oneCheckpoint });

const program =
  (...keys: string[]) =>
  () => ({ keys: new SshKeys("team", { keys }).keys });
const ops = ({ steps }: Run) => steps.map(({ op, differs }) => [op, ...differs]);

test("no key of the account goes before a preview has shown it", async () => {
  const { sshKeys } = emulator.service;
  sshKeys.replace([theirs]);
  await expect(stack.preview(program(ada))).rejects.toThrow(
    /has a problem: keys: .*would be removed: ecdsa-sha2-nistp256 …ItTHEIRS somebody else\. Add them to keys/s,
  );

  emulator.faults.add({ match: { method: "PUT" }, when: "after", what: { reset: true } });
  const { outputs } = await stack.up(program(`${ada}\n`, theirs));
  expect(outputs.keys).toEqual([ada, theirs]);
  expect(sshKeys.list()).toEqual([ada, theirs]);

  // Another client adds a key. An up without a refresh must not remove it.
  sshKeys.replace([theirs, grace, ada]);
  await expect(stack.up(program(ada))).rejects.toThrow(/would be removed: ssh-rsa .*pulumi refresh/);
  expect(sshKeys.list()).toEqual([theirs, grace, ada]);

  const refreshed = await stack.refresh();
  expect(refreshed.results).toMatchObject([{ op: "update", differs: ["keys"] }]);
  expect(ops(await stack.preview(program(ada)))).toEqual([["update", "keys"]]);
  await stack.up(program(ada));
  expect(sshKeys.list()).toEqual([ada]);
});

testLong(
  "keys are told apart by type and body: neither order nor the service's comments are a difference",
  async () => {
    const { sshKeys } = emulator.service;
    await stack.up(program(ada, grace));
    sshKeys.replace([grace.replace("grace@example.com", "changed"), ada.replace(" ada@example.com", "")]);
    expect((await stack.refresh()).results).toMatchObject([{ op: "same" }]);
    expect(ops(await stack.preview(program(grace, ada)))).toEqual([["same", "keys"]]);
    const commented = ada.replace("ada@", "countess@");
    expect(ops(await stack.up(program(commented, grace)))).toEqual([["update", "keys"]]);
    expect(sshKeys.list()).toEqual([commented, grace]);
  },
);

test("destroy leaves the keys, and get reads them whoever registered them", async () => {
  const { sshKeys } = emulator.service;
  await stack.up(program(ada));
  await stack.destroy();
  expect(sshKeys.list()).toEqual([ada]);
  const { outputs } = await stack.up(() => ({ keys: SshKeys.get("theirs").keys }));
  expect(outputs.keys).toEqual([ada]);
});

test("a private key that was passed by mistake is refused without being shown", async () => {
  const secret = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END";
  await expect(stack.preview(program(secret))).rejects.toThrow(/must be one line with a public key/);
  expect(stack.leftBehind()).not.toContain("b3BlbnNzaC1rZXktdjEAAAAA");
});
