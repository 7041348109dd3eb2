import { execFile } from "node:child_process";
import { ExpectedError } from "../../../provider/client/errors";
import { isRecord } from "../../../provider/value";
import { nameInMarks, type State, stateIn } from "./state";

/** Milliseconds that an answer of Pulumi may take. A state of 1000 resources takes one second. */
const patience = 20_000;

/** Milliseconds. What has taken longer did not fail because of a moment, and another try takes as long. */
const shortTry = 3_000;

/** How many states to export at once: a backend may hold hundreds. */
const atOnce = 4;

/** All stacks that Pulumi shows. Throws where it does not tell: then nothing tells what is left over. */
export async function stackNames(): Promise<string[]> {
  const names = await stacks();
  if (names !== undefined) return names;
  throw new ExpectedError(
    "`pulumi stack ls --all` failed, so podlumi cannot tell what is live. Run this where `pulumi` is installed and logged " +
      "in to the backend of the stack",
    "PODLUMI-STATE-UNKNOWN",
  );
}

/** The stack that is selected in the current folder, as marks have it; undefined outside of a project. */
export async function selectedStack(): Promise<string | undefined> {
  const listed = await answer("stack", "ls", "--json", "--fully-qualify-stack-names");
  const selected = Array.isArray(listed) ? listed.find(({ current }) => current === true) : undefined;
  return isRecord(selected) ? nameInMarks({ name: String(selected.name) }) : undefined;
}

/** The states of stacks. Throws where one of them cannot be read: that one may have anything. */
export async function statesOf(names: readonly string[]): Promise<State[]> {
  const { states, unread } = await read(names);
  if (unread.length === 0) return states;
  throw new ExpectedError(
    `podlumi cannot tell what is live: \`pulumi stack export --stack\` failed for ${unread.sort().join(", ")}`,
    "PODLUMI-STATE-UNKNOWN",
  );
}

/** The states of all stacks that Pulumi shows, and the stacks whose states cannot be read. */
export async function statesShown(): Promise<Read> {
  const names = await stacks();
  return names === undefined ? { states: [], unread: ["any stack"] } : read(names);
}

interface Read {
  readonly states: State[];
  readonly unread: string[];
}

async function read(names: readonly string[]): Promise<Read> {
  const waiting = [...names];
  const found: Read = { states: [], unread: [] };
  const lane = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const state = stateIn(name, await answer("stack", "export", "--stack", name));
      if (state === undefined) found.unread.push(name);
      else found.states.push(state);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return found;
}

async function stacks(): Promise<string[] | undefined> {
  const listed = await answer("stack", "ls", "--all", "--json", "--fully-qualify-stack-names");
  return Array.isArray(listed) ? listed.filter(isRecord).map(({ name }) => String(name)) : undefined;
}

/**
 * The answer of the `pulumi` on the PATH in the current folder; undefined without one. It is asked up to three times: in a folder of
 * states, 1 in 25 questions fails while a run writes a lot.
 */
async function answer(...args: readonly string[]): Promise<unknown> {
  const began = Date.now();
  for (let left = 2; ; left--) {
    const found = await ask(args);
    if (found !== undefined || left === 0 || Date.now() - began > shortTry) return found;
  }
}

function ask(args: readonly string[]): Promise<unknown> {
  // Flags that the environment sets are meant for the user's own commands.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("PULUMI_OPTION_"));
  const env = { ...Object.fromEntries(own), PULUMI_SKIP_UPDATE_CHECK: "1" };
  const bounds = { timeout: patience, killSignal: "SIGKILL", maxBuffer: 1024 ** 3 } as const;
  return new Promise((done) => {
    execFile("pulumi", [...args, "--non-interactive"], { env, ...bounds }, (error, text) =>
      done(error ? undefined : parsed(text)),
    );
  });
}

/** A text that is no JSON is no answer. A wrapper of Pulumi can print anything. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
