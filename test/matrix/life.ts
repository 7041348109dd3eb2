import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { startEmulator } from "../../sdk/emulator/service";
import { fast } from "../harness/account";
import { plugins } from "../harness/face";

/** The faces of podlumi, by the module that a program imports. */
export const modules = { "dynamic provider": "podlumi", plugin: "podlumi/plugin" } as const;

/** One resource of each kind that most programs have, in TypeScript. */
const programOf = (module: string) => `import * as podlumi from "${module}";

const image = "org/app:1";
const data = new podlumi.NetworkVolume("data", { size: 50, dataCenter: "EU-RO-1" });
const login = new podlumi.RegistryAuth("ghcr", { username: "bot", password: "hunter22" });
const token = new podlumi.Secret("token", { value: "hunter23" });
const worker = new podlumi.Template("worker", { image, serverless: true, env: { TOKEN: token } });
const pod = new podlumi.Pod("trainer", {
  image,
  gpu: { id: "NVIDIA L4" },
  registry: login,
  mounts: { network: [{ volumeId: data, path: "/workspace" }] },
});
const llm = new podlumi.ServerlessEndpoint("llm", {
  type: "QUEUE",
  templateId: worker,
  templateRevision: worker.revision,
  gpu: { pools: ["ADA_24"] },
  scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
});
export const status = pod.status;
export const url = llm.requestUrls.runSync;
`;

/** What the program makes, by the lists of the account. */
const made = { networkVolumes: 1, registries: 1, secrets: 1, templates: 1, pods: 1, endpoints: 1 };

/** What `pulumi new typescript` writes, and an entry for the plugin. */
export const projectFiles: Record<string, string> = {
  "Pulumi.yaml": JSON.stringify({ name: "matrix", runtime: "nodejs", plugins }),
  "tsconfig.json": JSON.stringify({
    compilerOptions: { strict: true, target: "es2020", module: "commonjs", moduleResolution: "node" },
    files: ["index.ts"],
  }),
};

/** Runs a command that has to succeed. Returns what it prints. */
export function run(
  cwd: string,
  env: NodeJS.ProcessEnv,
  command: string,
  ...args: string[]
): Promise<string> {
  return new Promise((done, failed) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (printed += text));
    child.on("error", failed);
    child.on("close", (code) => {
      if (code === 0) done(printed);
      else failed(new Error(`${command} ${args.join(" ")} ended with ${code}\n${printed}`));
    });
  });
}

/**
 * Takes the program through its whole life in a folder where podlumi is installed: up, up without a change, refresh and destroy.
 * `node` is a folder with the Node.js to take. Throws where something is not as it has to be.
 */
export async function wholeLife(folder: string, module: string, node?: string): Promise<void> {
  // With that, an `up` outlasts what podlumi waits for before it lets a resource be created.
  const emulator = await startEmulator({ timings: { ...fast.timings, latency: 400 } });
  const backend = join(folder, `backend-${module.replace("/", "-")}`);
  mkdirSync(backend);
  writeFileSync(join(folder, "index.ts"), programOf(module));
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...emulator.env,
    ...(node !== undefined && { PATH: [node, process.env.PATH].join(delimiter) }),
    PULUMI_HOME: join(backend, "home"),
    PULUMI_BACKEND_URL: `file://${backend}`,
    PULUMI_CONFIG_PASSPHRASE: "matrix",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
  const pulumi = async (...args: string[]) => {
    const printed = await run(folder, env, "pulumi", ...args, "--non-interactive");
    const [warning] = /\(node:\d+\).*/.exec(printed) ?? [];
    if (warning !== undefined) throw new Error(`pulumi ${args.join(" ")}: Node.js warns: ${warning}`);
  };
  const has = () =>
    Object.fromEntries(Object.entries(emulator.service.snapshot()).map(([name, all]) => [name, all.length]));
  const expectOfAccount = (wanted: Record<string, number>) => {
    const wrong = Object.entries(has()).filter(([name, count]) => count !== (wanted[name] ?? 0));
    if (wrong.length > 0) throw new Error(`the account has ${JSON.stringify(Object.fromEntries(wrong))}`);
  };
  const unchanging = async (...args: string[]) => {
    emulator.requests.splice(0);
    await pulumi(...args, "--expect-no-changes");
    const sent = emulator.requests.filter(({ method, interface: of }) => of === "rest" && method !== "GET");
    if (sent.length > 0) throw new Error(`pulumi ${args.join(" ")} sent ${JSON.stringify(sent)}`);
  };
  try {
    await pulumi("stack", "init", "test");
    await pulumi("up", "--yes", "--skip-preview");
    expectOfAccount(made);
    await unchanging("up", "--yes", "--skip-preview");
    await unchanging("refresh", "--yes", "--skip-preview");
    await pulumi("destroy", "--yes", "--skip-preview");
    expectOfAccount({});
  } finally {
    await emulator.close();
  }
}
