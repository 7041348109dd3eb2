import type { KindName } from "../../provider/resources";
import { type Emulator, startEmulator } from "../../sdk/emulator/service";
import { Project } from "../harness/project";
import { kindNames, type Step, samples, steps } from "../kinds";
import { callOf } from "./calls";
import { type Face, pluginOnPath, sdks } from "./life";

/** The names of the requests of each step, for each kind. */
export type KindCalls = Record<KindName, Record<Step, string[]>>;

/**
 * Takes one resource of each kind through its life. Each has a provider and an account of its own, so that what one kind
 * asks is told from what another asks.
 */
export async function measureKinds(face: Face): Promise<KindCalls> {
  const accounts = await Promise.all(
    kindNames.map(async (kind) => [kind, await startEmulator({ timings: instant })] as const),
  );
  const project = new Project({ env: pluginOnPath() });
  const calls = Object.fromEntries(kindNames.map((kind) => [kind, {}])) as KindCalls;
  try {
    await run(project, "stack", "init", "bench");
    for (const step of steps) {
      project.write(program(face, accounts, step === "update" ? "changed" : "made"));
      await run(project, ...commands[step]);
      for (const [kind, { requests }] of accounts)
        calls[kind][step] = requests.splice(0).map((request) => callOf(request).name);
    }
    return calls;
  } finally {
    project.remove();
    await Promise.all(accounts.map(([, account]) => account.close()));
  }
}

/** Nothing takes time, so that no wait polls. */
const instant = { provisioning: 0, starting: 0, stopping: 0, templateRelease: 0, queueReady: 0 };

const up = ["up", "--yes", "--skip-preview"];
const commands: Record<Step, string[]> = {
  preview: ["preview"],
  up,
  again: up,
  update: up,
  refresh: ["refresh", "--yes", "--skip-preview"],
  destroy: ["destroy", "--yes", "--skip-preview"],
};

async function run(project: Project, ...command: string[]): Promise<void> {
  const { ok, printed } = await project.pulumi(...command);
  if (!ok) throw new Error(`pulumi ${command.join(" ")} failed\n${printed}`);
}

/** The arguments of the resource, and the same after a change. */
function typical(kind: KindName): { readonly made: object; readonly changed: object } {
  const { args, change, replace, typical } = samples[kind];
  return typical ?? { made: args, changed: { ...args, ...(change ?? replace) } };
}

function program(
  face: Face,
  accounts: readonly (readonly [KindName, Emulator])[],
  version: "made" | "changed",
): string {
  const resources = accounts.map(([kind, { apiUrl, graphqlUrl, queueUrl }]) => {
    const settings = JSON.stringify({ apiKey: "bench-key", apiUrl, graphqlUrl, queueUrl });
    const args = JSON.stringify(typical(kind)[version]);
    return `new sdk.${kind}("one", ${args}, { provider: new sdk.Provider("of${kind}", ${settings}) });`;
  });
  return [`const sdk = require("${sdks[face]}");`, ...resources].join("\n");
}
