import { isDeepStrictEqual } from "node:util";
import { accountOf, allowanceOf, isWrongKey } from "../../client/allowance";
import type { Api } from "../../client/api";
import { ExpectedError, isNotFound } from "../../client/errors";
import { impatiently } from "../../client/patience";
import { warn } from "../../engine/log";
import { completed } from "../kind/check";
import type { Finding, Kind } from "../kind/definition";
import { type Failure, printed } from "../kind/failure";
import { ownerOf } from "../kind/mark";
import type { Run } from "../run";
import type { Properties } from "../value";

/**
 * Checks a new or changed resource against the account: the limits and the balance, for a kind that takes of them; for
 * another, only whether the key is valid, which it notes in the run. Without an answer in time there are no findings.
 */
export async function accountFindings(
  kind: Kind,
  run: Run,
  before: Properties | undefined,
  inputs: Properties,
): Promise<readonly Finding[]> {
  const changed = changedFields(kind, before ?? {}, inputs);
  if (changed.length === 0) return [];
  const { takes } = kind;
  const matters = takes?.about.some((name) => changed.includes(name)) === true;
  try {
    const api = run.api();
    if (takes !== undefined && matters) {
      const find = async () => {
        const account = { api, run, kind, allowance: await allowanceOf(api) };
        return takes.find(account, inputs, before);
      };
      return (await quickly(run, find)) ?? [];
    }
    if (!isAskedAnyway(kind, run, before, inputs)) await quickly(run, () => tryKey(kind, run, api));
  } catch (error) {
    if (isWrongKey(error)) run.wrongKey = error;
    else if (!(error instanceof ExpectedError)) throw error;
  }
  return [];
}

/** The failure of a run whose key the service does not take. */
export function keyFailures({ wrongKey }: Run): Failure[] {
  return wrongKey === undefined
    ? []
    : [{ property: "", reason: wrongKey.message.replace(/\.$/, ""), code: wrongKey.code }];
}

/** Uncertain findings become warnings. Certain ones are returned, as failures. */
export function warnOfUncertain(urn: unknown, findings: readonly Finding[]): Failure[] {
  for (const { certain, code = "", ...finding } of findings)
    if (!certain) warn(urn, printed(finding).reason, code);
  return findings.filter(({ certain }) => certain);
}

/** The fields whose change reaches the service. */
function changedFields({ fields }: Kind, before: Properties, inputs: Properties): string[] {
  const after = completed(fields, inputs);
  return Object.entries(fields)
    .filter(([name, { setting }]) => !setting && !isDeepStrictEqual(before[name], after[name]))
    .map(([name]) => name);
}

/** Whether the list of the kind is asked for anyway: that shows as well whether the service takes the key. */
function isAskedAnyway(kind: Kind, run: Run, before: Properties | undefined, inputs: Properties): boolean {
  return before === undefined && !run.adopts(inputs) && isListedAtFirst(kind, inputs);
}

/**
 * Whether the check of a new resource lists its kind: for a name that is taken, for the data of what the engine may replace, and for
 * orphans, unless this is the first preview of a stack, in which marks tell nothing yet.
 */
export function isListedAtFirst({ uniqueName, dataHeld }: Kind, inputs: Properties): boolean {
  return ownerOf(inputs) !== undefined || uniqueName !== undefined || dataHeld !== undefined;
}

/** Asks what the account allows, before a resource needs it. */
export async function askAccount(run: Run): Promise<void> {
  const api = run.api();
  await quickly(run, () => allowanceOf(api));
}

/** One cheap look a run. A service without /account is asked for a list. */
function tryKey(kind: Kind, run: Run, api: Api): Promise<void> {
  return api.once("whether the service takes the key", async () => {
    try {
      await accountOf(api);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await run.lists.snapshot(kind);
    }
  });
}

/** Undefined when the account's responses take too long. */
function quickly<T>({ patienceForAllowance }: Run, look: () => Promise<T>): Promise<T | undefined> {
  return patienceForAllowance.inTime(impatiently(look, patienceForAllowance.milliseconds));
}
