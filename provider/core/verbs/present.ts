import { isWrongKey } from "../../client/allowance";
import { ExpectedError } from "../../client/errors";
import { covers, type Properties } from "../../value";
import type { Existing } from "../call";
import type { Run } from "../call/run";
import { readShown } from "../call/wait";
import { failIfOfOtherAccount } from "../guard/other-account";
import type { Kind, Observed } from "../kind";
import { isDeclared } from "../state/declared";
import { describe, explaining, title } from "../telling";

/** The object as it is, at most `oldest` milliseconds ago; undefined where the service does not have it. */
export function present(existing: Existing, oldest: number): Promise<Observed | undefined> {
  const { kind, run, id, state } = existing;
  return explaining(`could not read ${title(kind, state)} (${id})`, existing, async () => {
    const shown = await readShown(existing, { age: oldest }).catch((error) => failOnce(run, error));
    // Another account has its single object, too.
    const differs = (name: string) => !covers(shown?.[name], state[name]);
    const isOthers = kind.single && isDeclared(state) && Object.keys(kind.fields).some(differs);
    if (shown === undefined || isOthers) await failIfOfOtherAccount(existing);
    return shown;
  });
}

/** A refresh continues after an error. So only the first resource tells the whole of what each of them would. */
function failOnce(run: Run, error: unknown): never {
  if (!isWrongKey(error)) throw error;
  const [first, code] = [run.wrongKey === undefined, error.code];
  run.wrongKey ??= error;
  throw first ? error : new ExpectedError("the service refuses the API key, as for another resource", code);
}

export function goneNote(kind: Kind, id: string, { name }: Properties): string {
  return `the ${describe(kind, { id, name })} is not in this account any more, so it leaves the state`;
}
