import type { Kind, ServiceObject } from "../kind/definition";
import { ownerOf } from "../kind/mark";
import type { Run } from "../run";
import type { Properties } from "../value";

/** Why the twin of an earlier run stays: this one may not have come to what adopts or reads it. */
export async function whyTwinsStay(
  kind: Kind,
  run: Run,
  twins: readonly ServiceObject[],
  whose: Properties,
): Promise<string | undefined> {
  const { stack } = ownerOf(whose)?.readable ?? {};
  const sweep = `\`npx podlumi sweep --stack ${stack}\` deletes it in any case, after asking`;
  const { fail } = run.did;
  const none = await whyNoneDeletes(kind, run, twins);
  const why = fail
    ? "this run has failed, perhaps before what adopts or reads it"
    : (none ?? whyPartial(run));
  const next = none
    ? ""
    : `. The next \`pulumi up\`${fail ? "" : " without --target and --exclude"} deletes it while the state has the other one`;
  return why && `${why}${next}; ${sweep}`;
}

/** Why a run leaves a twin that something may adopt or read to which it does not come; undefined where it comes to all. */
export async function whyLeftOut(
  kind: Kind,
  run: Run,
  twins: readonly ServiceObject[],
): Promise<string | undefined> {
  return (await whyNoneDeletes(kind, run, twins)) ?? whyPartial(run);
}

function whyPartial({ command }: Run): string | undefined {
  return command.isPartial ? `this run leaves out ${aPart}` : undefined;
}

/** Why no `up` deletes such a twin: what shows that this one comes to the whole program, no other one shows either. */
async function whyNoneDeletes(
  kind: Kind,
  { command, states }: Run,
  twins: readonly ServiceObject[],
): Promise<string | undefined> {
  if (twins.some((twin) => kind.dataHeld?.(twin) !== undefined)) return mayHoldData;
  if (command.isPartial === undefined)
    return `this machine does not show whether this run leaves out ${aPart}`;
  const { serving = 0 } = (await states.now()) ?? {};
  // Each has a process of its own.
  return serving > 1 ? severalProviders : undefined;
}

const mayHoldData =
  "it may hold data by now, and an error of the program, which nothing shows here, may come before what adopts or reads it";
const aPart = "a part of the program (--target, --exclude), which may adopt or read it";
const severalProviders =
  "this stack has several providers, and a failure under another one, which nothing shows here, may come before what adopts or reads it";
