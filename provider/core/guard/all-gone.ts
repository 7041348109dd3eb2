import { warn } from "../../engine/log";
import type { Run } from "../run";

/**
 * At the end of a run, warns where the account has none of the objects that it was to read or to delete: the key may be of another account.
 * That is no error, since somebody may have deleted them all.
 */
export function warnIfAllGone({ atEnd: { refreshed, deleted, absent }, states }: Run): void {
  const { asked, gone } = refreshed;
  if (asked > 1 && gone === asked) warn(undefined, refreshedNone(asked), code);
  // What an account has once, each account has. Replacements of what is gone tell nothing of the key.
  const tried = states.creates ? 0 : [...deleted.values()].filter(({ kind }) => !kind.single).length;
  if (tried > 1 && absent.size === tried) warn(undefined, deletedNone(tried), code);
}

const code = "PODLUMI-ALL-GONE";

const refreshedNone = (number: number) =>
  `none of the ${number} objects that this refresh asked for is in the account of the API key. If the key may be of another account, give ` +
  `the former key again. A preview has changed nothing. After a refresh, restore the state before the next \`pulumi up\`: ${restoring("refresh")}`;

const deletedNone = (number: number) =>
  `none of the ${number} objects that this run was to delete is in the account of the API key, and they have left the state. If the key may ` +
  "be of another account, they are still there, and cost money: give the former key again, restore the state, and run the command again. " +
  `To restore it: ${restoring("run")}`;

const restoring = (what: string) =>
  `with the version before the ${what} (\`pulumi stack history\`), \`pulumi stack export --version VERSION --file state.json\` and then ` +
  "`pulumi stack import --file state.json`. Where the state is not in Pulumi Cloud, copy it from the backend's .pulumi/history";
