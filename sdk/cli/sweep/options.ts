import type { Listed, ListedKind } from "../kinds";

/** The options of `podlumi sweep`. */
export interface Options {
  readonly prefix?: string;
  readonly stack?: string;
  readonly expired?: true;
  readonly mark?: readonly string[];
  readonly copies?: true;
  readonly adopted?: true;
  readonly read?: true;
  readonly marked?: true;
  readonly olderThan?: number;
  readonly kind?: ListedKind[];
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
}

export interface Outcome extends Listed {
  /** Why it is still there. */
  readonly left?: string;
}

/** The kinds that run, and use the others. */
export const runs: readonly ListedKind[] = ["Pod", "Cluster", "ServerlessEndpoint"];
