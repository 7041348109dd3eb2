import { inTime } from "../../client/clock";
import type { Stated } from "../../engine/export";
import { warn } from "../../engine/log";
import { endLimits } from "../end-limits";
import { listedKinds, listOf } from "../end-lists";
import type { Run } from "../run";

/**
 * At the end of a run, warns where the account has none of the objects that it was to read or to delete, nor another one of the state: the
 * key may be of another account. That is no error, since somebody may have deleted them all.
 */
export async function warnIfAllGone(run: Run): Promise<void> {
  const { refreshed, deleted, absent } = run.atEnd;
  const { asked, gone } = refreshed;
  // What an account has once, each account has. A replacement of what is gone tells nothing of the key.
  const tried = [...deleted].filter(([, { kind, urn }]) => !kind.single && !run.states.hasBegun(urn));
  const ofRefresh = asked > 1 && gone === asked;
  const ofDeletions = tried.length > 1 && tried.every(([id]) => absent.has(id));
  if (!(ofRefresh || ofDeletions) || (await inTime(endLimits.list, showsOneOfState(run)))) return;
  if (run.isEmulated) return warn(undefined, restarted, code);
  const beside = run.states.creates ? createdBeside : "";
  if (ofRefresh) warn(undefined, `${refreshedNone(asked)}${beside}`, code);
  if (ofDeletions) warn(undefined, `${deletedNone(tried.length)}${beside}`, code);
}

/**
 * Whether the account shows any object of the state, as one that this run leaves out, or cannot delete. What another provider serves may be
 * in the other account, and so is what this run creates.
 */
async function showsOneOfState(run: Run): Promise<boolean> {
  const state = await run.states.ownIfTold();
  const isFormer = ({ urn, outputs: { __stack } }: Stated) =>
    run.owners.seenMarkers.has(String(__stack)) && !run.states.hasBegun(urn);
  const ids = new Set(state?.objects.filter(isFormer).map(({ id }) => id));
  const lists = listedKinds(run).map((kind) => listOf(run, kind));
  return run.lists.haveShown(ids, lists);
}

const code = "PODLUMI-ALL-GONE";

const restarted =
  "the emulator has none of the objects of the state: it was restarted, is another one, or somebody deleted them there. There is nothing to do";

const refreshedNone = (number: number) =>
  `none of the ${number} objects that this refresh asked for is in the account of the API key. If the key may be of another account, give ` +
  `the former key again. A preview has changed nothing. After a refresh, restore the state before the next \`pulumi up\`: ${restoring("refresh")}`;

const deletedNone = (number: number) =>
  `none of the ${number} objects that this run was to delete is in the account of the API key, and they have left the state. If the key may ` +
  "be of another account, they are still there, and cost money: give the former key again, restore the state, and run the command again. " +
  `To restore it: ${restoring("run")}. Where the run has removed the stack, too (--remove), there is nothing to restore: with the former key, ` +
  "`npx podlumi ls` shows what to delete";

const restoring = (what: string) =>
  `with the version before the ${what} (\`pulumi stack history\`), \`pulumi stack export --version VERSION --file state.json\` and then ` +
  "`pulumi stack import --file state.json`. Where the state is not in Pulumi Cloud, copy the .checkpoint.json of that version from the " +
  "backend's .pulumi/history over the stack's file in .pulumi/stacks";

const createdBeside =
  ". What this run has created is in the account of the present key, and may cost money there: with that key, `npx podlumi ls` shows what to delete";
