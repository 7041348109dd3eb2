import { warn } from "../../engine/log";
import type { Run } from "../run";

/**
 * At the end of a refresh, warns where the account has none of the objects: the key may be of another account. That is no error, since
 * somebody may have deleted them all.
 */
export function warnIfAllGone({ atEnd: { refreshed } }: Run): void {
  const { asked, gone } = refreshed;
  if (asked > 1 && gone === asked) warn(undefined, allGone(asked), "PODLUMI-ALL-GONE");
}

const allGone = (number: number) =>
  `none of the ${number} objects that this refresh asked for is in the account of the API key. If the key may be of another account, give ` +
  "the former key again. A preview has changed nothing. After a refresh, restore the state before the next `pulumi up`: with the version " +
  "before the refresh (`pulumi stack history`), `pulumi stack export --version VERSION --file state.json` and then " +
  "`pulumi stack import --file state.json`. Where the state is not in Pulumi Cloud, copy it from the backend's .pulumi/history";
