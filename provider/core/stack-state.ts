import { spawn } from "node:child_process";
import { isRecord } from "./value";

/** Milliseconds: a state of 1000 resources takes one second. */
const patience = 20_000;

/** A resource, as an export of a stack's state has it. */
interface Exported {
  readonly urn: string;
  readonly id?: string;
  readonly type: string;
  readonly external?: boolean;
  /** Its object is deleted, and its replacement still to be made. */
  readonly pendingReplacement?: boolean;
}

/** Whose objects a state has: URNs by ids. */
export type Holders = ReadonlyMap<string, string>;

/**
 * All objects in the state of a stack; undefined when Pulumi cannot be asked. The engine tells a provider of
 * one resource after the other, and of some only in the end: who has to know before that whether the state has an
 * object, asks Pulumi itself. That takes a moment, so it is asked only about objects whose mark raises the question.
 */
export async function holdersInState(stack: string, stackId: string): Promise<Holders | undefined> {
  const text = await output(["stack", "export", "--stack", stack]);
  const resources = text === undefined ? [] : resourcesIn(text);
  // Another organization may have a stack of the same name.
  return resources.some(({ id }) => id === stackId) ? holders(resources) : undefined;
}

/** The objects of an exported state. */
export function holders(resources: readonly Exported[]): Holders {
  const present = resources.filter(({ external, pendingReplacement }) => !external && !pendingReplacement);
  return new Map(present.flatMap(({ id, urn }) => (id === undefined ? [] : [[id, urn] as const])));
}

/** The resources of an exported state; none when it cannot be read. */
export function resourcesIn(text: string): Exported[] {
  try {
    const { deployment } = JSON.parse(text);
    return Array.isArray(deployment?.resources) ? deployment.resources.filter(isRecord) : [];
  } catch {
    return [];
  }
}

/** What a command of Pulumi prints; undefined when it fails, or is not there. */
export function output(args: readonly string[]): Promise<string | undefined> {
  return new Promise((done) => {
    // In a group of its own: the engine interrupts the whole group of a provider at the end of a run.
    const child = spawn("pulumi", [...args, "--non-interactive"], {
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "1" },
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), patience);
    const parts: Buffer[] = [];
    child.stdout.on("data", (part: Buffer) => parts.push(part));
    child.on("error", () => done(undefined));
    child.on("close", (code) => {
      clearTimeout(timer);
      done(code === 0 ? Buffer.concat(parts).toString("utf8") : undefined);
    });
  });
}
