import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { partsOfUrn } from "../../identity";
import { at } from "../../path";
import { isRecord, type Properties } from "../../value";
import { RefusedError } from "../errors";

// The one place where podlumi asks for a state. `--replace`, a taint, `replacementTrigger` and dependents of what is deleted first reach a
// create without a word of the object that the resource has: only the state tells that one from what a killed run has left.

/** The export of a stack's state, or of the selected stack's; undefined where Pulumi does not tell. */
export type ExportState = (stack?: string) => Promise<unknown>;

/** Milliseconds. A state of 1000 resources takes one second. */
const patience = 20_000;

/** Asks the `pulumi` on the PATH, in the folder of the program. */
export const exportByPulumi: ExportState = async (stack) => {
  const named = stack === undefined ? [] : ["--stack", stack];
  const args = ["stack", "export", ...named, "--non-interactive"];
  // Flags that the environment sets are meant for the user's own command.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("PULUMI_OPTION_"));
  const env = { ...Object.fromEntries(own), PULUMI_SKIP_UPDATE_CHECK: "1" };
  const bounds = { timeout: patience, killSignal: "SIGKILL", maxBuffer: 1024 ** 3 } as const;
  try {
    const { stdout } = await promisify(execFile)("pulumi", args, { env, ...bounds });
    return JSON.parse(stdout);
  } catch {
    return undefined;
  }
};

/** The ids that the state of this run's own stack has, asked for at most once. */
export class OwnState {
  private asked: Promise<ReadonlySet<string> | undefined> | undefined;

  constructor(
    private readonly exported: ExportState,
    private readonly organization: () => string | undefined,
  ) {}

  /** The ids of the objects that the state has, also of those that are still to be deleted. Throws `unknown` where Pulumi does not tell. */
  async ids(whose: Properties, unknown: () => string): Promise<ReadonlySet<string>> {
    this.asked ??= this.ask(whose);
    const ids = await this.asked;
    if (ids !== undefined) return ids;
    throw new RefusedError(unknown(), "PODLUMI-STATE-UNKNOWN");
  }

  private async ask(whose: Properties): Promise<ReadonlySet<string> | undefined> {
    const { stack, project } = partsOfUrn(whose.__urn);
    const organization = this.organization();
    // No URN has the organization, and no plugin is told it. Then the name may lead to another stack, and the user has selected the own one.
    const names = organization === undefined ? [stack, undefined] : [`${organization}/${project}/${stack}`];
    for (const name of names) {
      const ids = idsIn(at(await this.exported(name), "deployment"), whose);
      if (ids !== undefined) return ids;
    }
    return undefined;
  }
}

/** The ids in a deployment; undefined where it is not of this run's stack. */
function idsIn(deployment: unknown, { __urn, __providerId }: Properties): ReadonlySet<string> | undefined {
  const resources = recordsIn(at(deployment, "resources"));
  const pending = recordsIn(at(deployment, "pending_operations"));
  const isOwn =
    resources.some(({ id }) => id === __providerId) ||
    pending.some(({ type, resource }) => type === "creating" && at(resource, "urn") === __urn);
  if (!isOwn) return undefined;
  const having = resources.filter(({ external }) => external !== true);
  return new Set(having.flatMap(({ id }) => (typeof id === "string" ? [id] : [])));
}

const recordsIn = (list: unknown): Properties[] => (Array.isArray(list) ? list.filter(isRecord) : []);
