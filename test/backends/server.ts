import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const STARTS_WITHIN_MS = 30_000;

/** A running server that stores state files. */
export interface Backend {
  /** The variables with the backend's URL and its credentials. */
  readonly env: Record<string, string>;
  stop(): Promise<void>;
}

/** A free port on loopback. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Starts a server and waits until it accepts connections. The error of a failed start includes what it printed. */
export async function startServer(
  command: string,
  args: string[],
  port: number,
  options: SpawnOptions = {},
): Promise<() => Promise<void>> {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => (printed += text));
  child.on("error", (error) => (printed += error.message));
  for (const deadline = Date.now() + STARTS_WITHIN_MS; !(await answers(port)); await sleep(50)) {
    if (ended(child) || child.pid === undefined || Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`${command} does not start:\n${printed}`);
    }
  }
  return async () => {
    const end = once(child, "exit");
    if (!ended(child) && child.kill("SIGINT")) await end;
  };
}

const ended = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

function answers(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const socket = connect(port, "127.0.0.1", () => answer(true)).on("error", () => answer(false));
    socket.on("connect", () => socket.destroy());
  });
}
