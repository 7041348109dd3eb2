import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { Command } from "commander";
import { unreadable } from "../../../provider/client/errors";
import { inLine } from "../../../provider/mask";
import { isStarting } from "../../../provider/resources/pod/life-cycle";
import type { PodSshEndpoint } from "../../../provider/resources/pod/types";
import type { FoundPod } from "../../functions/lookups";
import { account } from "../account";
import { nameOrId, stackOfResource } from "../arguments";
import { below } from "../help";
import { meant } from "../meant";
import { CommandError, print, printJson } from "../output";

const examples = `
It runs \`ssh\` with the address that the service returns: straight to the pod if it exposes 22/tcp,
otherwise over the service's proxy, which takes no command and copies no files. The account needs
your public key, and the pod startSsh or an image with SSH.

Examples:
  podlumi ssh 7h9k2m4n6p
  podlumi ssh notebook -i ~/.ssh/id_ed25519
  podlumi ssh notebook --stack shop/prod
  podlumi ssh notebook -- nvidia-smi
  scp $(podlumi ssh notebook --json |
    jq -r '"-P \\(.port) \\(.username)@\\(.host)"'):/workspace/out.bin .`;

interface Options {
  readonly stack?: string;
  readonly identity?: string;
  readonly print?: true;
  readonly json?: true;
}

/** `podlumi ssh`: a shell in a pod. */
export function ssh(program: Command): void {
  program
    .command("ssh")
    .description("open a shell in a pod, or run a command in it")
    .argument("<pod>", nameOrId)
    .argument("[command...]", "what to run instead of a shell, after --")
    .addOption(stackOfResource())
    .option("-i, --identity <file>", "the private key, as for ssh")
    .option("--print", "print the command instead of running it")
    .option("--json", "as JSON: host, port, username, command")
    .addHelpText("after", below(examples))
    .action(async (idOrName: string, command: string[], { stack, identity, print: shown, json }: Options) => {
      const { object } = await meant(account(), ["Pod"], idOrName, { stack });
      const { id, name, status, ssh } = object as unknown as FoundPod;
      // The service returns the address of the proxy even while no pod runs behind it.
      const way = status === "RUNNING" ? (ssh?.direct ?? ssh?.proxy) : undefined;
      if (way == null)
        throw new CommandError(
          `${inLine(name)} (${id}) is ${status} and has no address for SSH: ${nextStep(status)}`,
        );
      if (!isSound(way))
        throw unreadable(`GET /pods/${id}`, 200, "its address for SSH is no user, host and port");
      if (json) return printJson(way);
      if (command.length > 0 && ssh?.direct == null)
        throw new CommandError(
          `${inLine(name)} (${id}) is reached over the proxy, which takes no command: expose 22/tcp in ports`,
        );
      const key = identity === undefined ? [] : ["-i", identity];
      const args = [...key, "-p", String(way.port), "--", `${way.username}@${way.host}`, ...command];
      if (shown) return print(["ssh", ...args].map(quoted).join(" "));
      process.exitCode = await run(args);
    });
}

/** Refuses what `ssh` would take for an option: some run programs of this machine. */
function isSound({ username, host, port }: PodSshEndpoint): boolean {
  const isPort = Number.isInteger(port) && port > 0 && port < 65_536;
  return isPort && /^\w[\w.-]*$/.test(username) && /^[\w:][\w.:-]*$/.test(host);
}

/** A word as a POSIX shell takes it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Runs `ssh` in this terminal, and returns its exit code. */
function run(args: readonly string[]): Promise<number> {
  return new Promise((ended, failed) => {
    const child = spawn("ssh", args, { stdio: "inherit" });
    // Ctrl-C is for the remote program.
    process.on("SIGINT", () => undefined);
    child.on("error", () =>
      failed(new CommandError("there is no `ssh` on this machine: --print shows what to run")),
    );
    child.on("exit", (code, signal) => ended(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

function nextStep(status: string): string {
  if (isStarting(status)) return "wait until it runs";
  return status === "RUNNING" ? "startSsh is false, or its image has no SSH" : "start it first";
}
