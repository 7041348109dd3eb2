import { isDeepStrictEqual } from "node:util";
import { accountOf, allowanceOf, isWrongKey } from "../../client/allowance";
import type { Api } from "../../client/api";
import { ExpectedError, isNotFound } from "../../client/errors";
import { warn } from "../../engine/log";
import { completed } from "../../schema/check";
import { type Failure, failureOf, printed } from "../../schema/failure";
import type { Properties } from "../../value";
import type { Checking, Resource } from "../call";
import type { Run } from "../call/run";
import type { Finding, Kind } from "../kind";
import { ownerOf } from "../mark/mark";

/** Checks a resource against limits and balance; for a kind that takes of neither, only the key. Without an answer in time, nothing. */
export async function accountFindings(checking: Checking): Promise<readonly Finding[]> {
  const { kind, run, record, inputs, before, provisional } = checking;
  const changed = changedFields(kind, before ?? {}, provisional);
  if (changed.length === 0) return [];
  const { takes } = kind.account ?? {};
  const matters = before === undefined || takes?.about.some((name) => changed.includes(name)) === true;
  try {
    const api = checking.api().impatient();
    if (takes !== undefined && matters) {
      const find = async () =>
        takes.find({ api, run, kind, allowance: await allowanceOf(api) }, provisional, before);
      return (await run.patienceForAllowance.inTime(find())) ?? [];
    }
    // A list that is asked for anyway shows whether the service takes the key.
    const isListed = before === undefined && !record.willAdopt(inputs) && isListedAtFirst(kind, inputs);
    if (!isListed) await run.patienceForAllowance.inTime(tryKey(checking, api));
  } catch (error) {
    if (isWrongKey(error)) run.wrongKey = error;
    else if (!(error instanceof ExpectedError)) throw error;
  }
  return [];
}

/** The failure of a run whose key the service does not take. */
export function keyFailures({ wrongKey }: Run): Failure[] {
  return wrongKey === undefined ? [] : [failureOf(wrongKey)];
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

/** The check of a new resource lists its kind, except in a stack's first preview, where marks tell nothing yet. */
export function isListedAtFirst({ naming }: Kind, inputs: Properties): boolean {
  return ownerOf(inputs) !== undefined || naming?.unique !== undefined;
}

/** Asks what the account allows, before a resource needs it. */
export async function askAccount({ run, api }: Resource): Promise<void> {
  await run.patienceForAllowance.inTime(allowanceOf(api().impatient()));
}

/** One cheap look a run. A service without /account is asked for a list. */
function tryKey({ kind, run }: Resource, api: Api): Promise<void> {
  return api.once("whether the service takes the key", async () => {
    try {
      await accountOf(api);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await run.lists.atFirst(kind, api);
    }
  });
}
