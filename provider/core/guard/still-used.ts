import { inTime } from "../../client/clock";
import { recent } from "../../client/proof";
import { warn } from "../../engine/log";
import { endLimits } from "../end-limits";
import { clash } from "../names/taken-names";
import type { Run } from "../run";

/**
 * At the end of a run, warns of what still refers to the name of an object that this run has deleted. Only then is it certain: a replacement
 * may have the name by now, and what referred to it may be gone as well.
 */
export async function warnOfUsers(run: Run): Promise<void> {
  const warnings = [...run.deleted].map(async ([id, { kind, name, urn }]) => {
    if (kind.usersByName === undefined || run.claims.claimantOf(kind, name) !== undefined) return;
    const all = await kind.usersByName(run.api(), recent);
    const users = all.filter((user) => !run.deleted.has(user.id) && clash(kind, user.name, name));
    if (users.length === 0) return;
    const present = await kind.list(run.api(), recent);
    if (present?.some((object) => object.id !== id && clash(kind, object.name, name))) return;
    const texts = [...new Set(users.map(({ text }) => text))];
    warn(urn, stillUsed(kind.noun, texts), "PODLUMI-STILL-USED");
  });
  await inTime(endLimits.settling, Promise.allSettled(warnings));
}

const stillUsed = (noun: string, users: readonly string[]) =>
  `the ${noun} is deleted, and ${users.join(", ")} still ${users.length === 1 ? "refers" : "refer"} to it: containers that start ` +
  `there later do not get its value. Remove the reference there, or create a ${noun} of that name again`;
