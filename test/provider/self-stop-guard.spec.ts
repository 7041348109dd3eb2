import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { guarded } from "../../provider/resources/pod/self-stop";

// The guard in real shells. Commands on the PATH stand in for the clock, the files of the kernel, the GPUs and the service.

const shells = ["dash", "bash"].map((name) => `/usr/bin/${name}`).filter(existsSync);

let folder: string;
let running: ChildProcess[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "guard-"));
  running = [];
  standIn("date", "read -r n <now; echo $n");
  // Thirty seconds pass in a moment.
  standIn("sleep", `read -r n <now; echo $((n + $1)) >next.$$; /bin/mv next.$$ now; /bin/sleep 0.02`);
  standIn("cat", `f=$(echo "$1" | /usr/bin/tr / _); [ -e "$f" ] && exec /bin/cat "$f"; exit 1`);
  standIn("curl", '{ echo "$@"; /bin/cat; } >>curl.log; exit "$(/bin/cat curl.exit 2>/dev/null || echo 0)"');
  standIn("rm", '/bin/rm "$@"');
  standIn("nvidia-smi", "/bin/cat gpus");
  write("now", "1000000");
  write("_proc_net_tcp", connection("1F90", "01") + connection("0016", "0A"));
  write("_sys_fs_cgroup_cpu.stat", "usage_usec 5000\nuser_usec 1\n");
  write("gpus", "0\n3\n");
});

afterEach(async () => {
  for (const child of running) child.kill("SIGKILL");
  // The guard sees within a moment that the command is gone.
  await setTimeout(200);
  rmSync(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
  rmSync(file(), { force: true });
});

const connection = (port: string, state: string) =>
  `   0: 0100007F:${port} 0200007F:D431 ${state} 00000000:00000000 00:00000000 00000000     0        0 1\n`;
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const read = (name: string) =>
  existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "";
const pod = () => `pod${folder.slice(-6)}`;
const file = () => `/tmp/.podlumi-self-stop-${pod()}`;

function standIn(name: string, text: string): void {
  write(name, `#!/bin/sh\ncd "${folder}"\n${text}\n`);
  chmodSync(join(folder, name), 0o755);
}

interface Guarded {
  readonly shell?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** A container with this command. */
function start(selfStop: object, command: string[], { shell, env }: Guarded = {}) {
  const body = { selfStop, entrypoint: command };
  const { entrypoint, cmd } = guarded(body, body) as { entrypoint: string[]; cmd: string[] };
  const [sh = "", ...words] = [...entrypoint, ...cmd];
  const child = spawn(shell ?? sh, words, {
    argv0: sh,
    cwd: folder,
    env: { PATH: folder, RUNPOD_POD_ID: pod(), RUNPOD_API_KEY: "rpa_key", RUNPOD_GPU_COUNT: "2", ...env },
  });
  running.push(child);
  const said = { out: "", log: "" };
  child.stdout.on("data", (data) => {
    said.out += data;
  });
  child.stderr.on("data", (data) => {
    said.log += data;
  });
  return { child, said };
}

async function until(isSo: () => unknown): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    if (tries > 400) throw new Error(`not so after 20 s: ${isSo}`);
    await setTimeout(50);
  }
}

/** The guard has watched for twice the time after which it fires. */
async function pass(): Promise<void> {
  const begin = Number(read("now"));
  await until(() => Number(read("now")) > begin + 360);
}

const waits = ["/bin/sleep", "60"];
const idle = { idle: "3m" };

describe.each(shells)("the guard in %s", (shell) => {
  test("leaves the command its exit code, input, arguments and variables", async () => {
    const env = { action: "mine", after: "mine", start: "mine" };
    const script = 'read -r line; echo "$line $1 $action $after $start"; exit 7';
    const { child, said } = start({ after: "8h" }, ["/bin/sh", "-c", script, "sh", "a  b"], { shell, env });
    child.stdin.end("input\n");
    expect(await once(child, "exit")).toEqual([7, null]);
    await until(() => said.out !== "");
    expect(said).toEqual({ out: "input a  b mine mine mine\n", log: "" });
  });

  test("leaves the command its signals", async () => {
    const script = "trap 'echo bye; exit 3' TERM; echo ready; while :; do /bin/sleep 0.1; done";
    const { child, said } = start({ after: "8h" }, ["/bin/sh", "-c", script], { shell });
    await until(() => said.out.includes("ready"));
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([3, null]);
    expect(said.out).toBe("ready\nbye\n");
    const other = start({ after: "8h" }, waits, { shell }).child;
    await until(() => Number(read("now")) > 1_000_100);
    other.kill("SIGTERM");
    expect(await once(other, "exit")).toEqual([null, "SIGTERM"]);
  });

  test("is no child for which a command waits", async () => {
    const { child } = start({ after: "8h", idle: "1h" }, ["/bin/bash", "-c", "/bin/true & wait"], { shell });
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  test("stops the pod after its time, and not before", async () => {
    const { child, said } = start({ after: "10m" }, waits, { shell });
    await until(() => read("curl.log").includes("header"));
    expect(Number(read("now"))).toBeGreaterThanOrEqual(1_000_600);
    expect(read("curl.log")).toContain(
      `-A podlumi-self-stop -K - -H Content-Type: application/json -d {"action":"stop"} ` +
        `https://api.runpod.io/v2/pods/${pod()}/action\nheader = "Authorization: Bearer rpa_key"\n`,
    );
    expect(said.log).toBe(
      "podlumi self-stop: its time of 600 s is over: asks the service to stop this pod\n",
    );
    expect(child.exitCode).toBeNull();
    await until(() => !existsSync(file()));
  });

  test("terminates it, by runpodctl where the service refuses, and tries for ever", async () => {
    write("curl.exit", "22");
    standIn("runpodctl", 'echo "$@" >>ctl.log; exit 1');
    const { said } = start({ after: "5m", action: "terminate" }, waits, { shell });
    await until(() => read("ctl.log").split("\n").length > 3);
    expect(read("ctl.log").split("\n")[0]).toBe(`remove pod ${pod()}`);
    expect(read("curl.log")).toContain(`-X DELETE https://api.runpod.io/v2/pods/${pod()}\n`);
    expect(said.log).toContain("could not terminate this pod, tries again in a minute\n");
  });

  test("stops it when idle, and not while anything works", async () => {
    const work: [string, string][] = [
      ["gpus", "0\n6\n"],
      ["gpus", "[N/A]\n[N/A]\n"],
      ["gpus", ""],
      ["_proc_net_tcp", connection("1F90", "0A").repeat(1000) + connection("0016", "01")],
      ["_proc_net_tcp6", `1: ${"0".repeat(32)}:0016 ${"1".repeat(32)}:D431 01 0:0\n`],
      ["_sys_fs_cgroup_cpu.stat", "max 100000\n"],
    ];
    const { said } = start(idle, waits, { shell });
    for (const [name, text] of work) {
      const before = read(name);
      write(name, text);
      // What the guard saw before counts until it looks again.
      await pass();
      expect(read("curl.log")).toBe("");
      write(name, before);
    }
    await until(() => read("curl.log") !== "");
    expect(said.log.split("podlumi self-stop: ")).toEqual([
      "",
      "cannot read nvidia-smi: this pod counts as busy\n",
      "cannot read the CPU time: this pod counts as busy\n",
      "idle for 180 s: asks the service to stop this pod\n",
    ]);
  });

  test("takes CPU time for work", async () => {
    // A fifth of a core: 200 ms a second.
    standIn("cat", `[ "$1" = /proc/net/tcp ] && exit; read -r n <now; echo "usage_usec $((n * 200000))"`);
    start(idle, waits, { shell });
    await pass();
    expect(read("curl.log")).toBe("");
    standIn("cat", `[ "$1" = /proc/net/tcp ] && exit; read -r n <now; echo "usage_usec $((n * 190000))"`);
    await until(() => read("curl.log") !== "");
  });

  test("goes on with its time after a restart of the container, and begins it with a new start of the pod", async () => {
    write("now", "2000000");
    for (const [last, expected] of [
      [1_999_950, 1_990_000],
      [1_999_000, 2_000_000],
    ] as const) {
      write("now", "2000000");
      writeFileSync(file(), `1990000 ${last}\n`);
      const { child } = start({ after: "9h" }, waits, { shell });
      let noted = "";
      await until(() => {
        noted = readFileSync(file(), "utf8");
        // The guard empties the file before it writes.
        return noted.endsWith("\n") && !noted.includes(String(last));
      });
      expect(Number(noted.split(" ")[0])).toBe(expected);
      child.kill("SIGKILL");
      await setTimeout(200);
    }
  });

  test.each<[string, NodeJS.ProcessEnv, string[], string]>([
    ["a tool", {}, ["date"], "no date here: nothing stops this pod\n"],
    ["every way", {}, ["curl"], "neither curl nor runpodctl here: it will not be able to stop this pod\n"],
    ["the pod's id", { RUNPOD_POD_ID: "" }, [], "no RUNPOD_POD_ID here: nothing stops this pod\n"],
  ])("says that it lacks %s, and the command runs", async (_what, env, missing, text) => {
    for (const name of missing) rmSync(join(folder, name));
    const { child, said } = start({ after: "8h" }, ["/bin/sh", "-c", "echo runs; exit 5"], { shell, env });
    expect(await once(child, "exit")).toEqual([5, null]);
    await until(() => said.out === "runs\n");
    expect(said.log).toBe(`podlumi self-stop: ${text}`);
  });
});
