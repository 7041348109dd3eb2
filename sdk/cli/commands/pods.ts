import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { Command } from "commander";
import type { Api } from "../../../provider/client/api";
import { unreadable } from "../../../provider/client/errors";
import { isExpired } from "../../../provider/core/state/expiry";
import { secretsOf } from "../../../provider/functions/signatures";
import { inLine } from "../../../provider/mask";
import { act } from "../../../provider/resources/pod/life-cycle";
import type { PodSshEndpoint } from "../../../provider/resources/pod/types";
import { without } from "../../../provider/value";
import type { FoundPod } from "../../functions/lookups";
import { account } from "../account";
import { below } from "../help";
import { meant } from "../meant";
import { CommandError, print, printJson, tell } from "../output";

/** The pod that a person means. */
async function podOf(api: Api, idOrName: string, to?: "act"): Promise<FoundPod> {
  const { object } = await meant(api, ["Pod"], idOrName, to);
  return object as unknown as FoundPod;
}

/** A command that tells a pod to do something, and does not wait until it has. */
function action(verb: "start" | "stop" | "restart", description: string) {
  return (program: Command): void => {
    program
      .command(verb)
      .description(description)
      .argument("<pod>", "its id or its name")
      .option("--json", "as JSON: the pod, without env, which may hold secrets")
      .addHelpText("after", `\nExamples:\n  podlumi ${verb} 7h9k2m4n6p\n  podlumi ${verb} notebook --json`)
      .action(async (idOrName: string, { json }: { json?: true }) => {
        const api = account();
        const found = await podOf(api, idOrName, "act");
        const { id, name } = found;
        const pod = await act(api, id, verb);
        if (verb === "start" && isExpired({ ...found }, api.now()))
          tell(
            `podlumi: the time limit of ${inLine(name)} (${id}) is over, and the next \`npx podlumi sweep --expired\` deletes it with its disks. An ` +
              "`up` that starts it, or that changes expiresAfter, begins another one [PODLUMI-EXPIRED]",
          );
        if (json) printJson(withoutSecrets(pod));
        else print(`${inLine(name)} (${id}) was told to ${verb}; it is ${pod.status}`);
      });
  };
}

function withoutSecrets(pod: object): object {
  return without(secretsOf("getPod"), { ...pod });
}

/** `podlumi start`: starts a stopped pod. */
export const start = action("start", "start a stopped pod, and do not wait until it runs");

/** `podlumi stop`: stops a pod. */
export const stop = action(
  "stop",
  "stop a pod: what is on its disk outside of mounts is lost, and its GPU costs no more",
);

/** `podlumi restart`: restarts the container of a running pod. */
export const restart = action(
  "restart",
  "restart the container of a running pod: what is on its disk outside of mounts is lost",
);

const examples = `
It runs \`ssh\` with the address that the service returns: straight to the pod if it exposes 22/tcp,
otherwise over the service's proxy, which takes no command and copies no files. The account needs
your public key, and the pod startSsh or an image with SSH.

Examples:
  podlumi ssh 7h9k2m4n6p
  podlumi ssh notebook -i ~/.ssh/id_ed25519
  podlumi ssh notebook -- nvidia-smi
  scp $(podlumi ssh notebook --json |
    jq -r '"-P \\(.port) \\(.username)@\\(.host)"'):/workspace/out.bin .`;

interface SshOptions {
  readonly identity?: string;
  readonly print?: true;
  readonly json?: true;
}

/** `podlumi ssh`: a shell in a pod. */
export function ssh(program: Command): void {
  program
    .command("ssh")
    .description("open a shell in a pod, or run a command in it")
    .argument("<pod>", "its id, its name, or the name of its resource")
    .argument("[command...]", "what to run instead of a shell, after --")
    .option("-i, --identity <file>", "the private key, as for ssh")
    .option("--print", "print the command instead of running it")
    .option("--json", "as JSON: host, port, username, command")
    .addHelpText("after", below(examples))
    .action(async (idOrName: string, command: string[], { identity, print: shown, json }: SshOptions) => {
      const { id, name, status, ssh } = await podOf(account(), idOrName);
      // The service returns the address of the proxy even while no pod runs behind it.
      const way = status === "RUNNING" ? (ssh?.direct ?? ssh?.proxy) : undefined;
      if (way == null)
        throw new CommandError(
          `${inLine(name)} (${id}) is ${status} and has no address for SSH${status === "RUNNING" ? ": startSsh is false, or its image has no SSH" : `: npx podlumi start ${id}`}`,
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

/** Whether an address that the service returned is one, and no option of `ssh`, which can run programs of this machine. */
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
