import type { UpdateResult } from "@pulumi/pulumi/dynamic";
import type { Api } from "../../client/api";
import { ExpectedError, errorText, isNotFound, isRefusal } from "../../client/errors";
import { log } from "../../engine/log";
import type { Kind, Observed } from "../definition";
import { type Differences, declaration, differences } from "../diff";
import { gone } from "../errors";
import { beginsAnew, withExpiry } from "../expiry";
import { newCallDigits, ownerOf } from "../mark";
import { retryWhileTaken } from "../names";
import { describe, markFor, withMark } from "../ownership";
import { finish } from "../readiness";
import { type Run, StateUnknownError } from "../run";
import { body, sharedMap, wantedInputs } from "../state";
import { explaining, title } from "../telling";
import { deleteTwins, openCreateIn, twinsAmong } from "../twins";
import type { Properties } from "../value";

/** Changes an object into what the program says. */
export async function update(
  kind: Kind,
  run: Run,
  id: string,
  olds: Properties,
  news: Properties,
  timeout?: number,
): Promise<UpdateResult> {
  run.noteOwner(id, news);
  const wanted = wantedInputs(kind.fields, olds, news);
  const observed = await explaining(`could not update ${title(kind, news)} (${id})`, kind, news, async () => {
    await deleteTwinsInState(kind, run, id, olds);
    const changes = await differences(kind.fields, olds, news, () => run.api());
    return sendChanges(kind, run, { id, state: olds, changes, foreign: false }, news, wanted);
  });
  return { outs: await finish(kind, run, id, news, wanted, observed, { before: olds, timeout }) };
}

/** An existing object and its differences. */
interface Present {
  readonly id: string;
  readonly state: Properties;
  readonly changes: Differences;
  /** It carries the mark of another resource. */
  readonly foreign: boolean;
}

/** Sends all differences in one update. Only reads the object when nothing differs. */
export async function sendChanges(
  kind: Kind,
  run: Run,
  { id, state, changes, foreign }: Present,
  news: Properties,
  wanted: Properties,
): Promise<Observed> {
  const api = run.api();
  const { update } = kind;
  const send =
    update &&
    ((patch: Properties) => {
      const act = () =>
        update(api, id, body(kind.fields, patch), news).catch((error) =>
          failAsGone(kind, api, id, state, error),
        );
      return kind.uniqueName && patch.name !== undefined ? retryWhileTaken(kind, run, news, act) : act();
    });
  const names = [...changes.keys()].filter((name) => !kind.fields[name]?.notInBody);
  let patch = Object.fromEntries(names.map((name) => [name, wanted[name]]));
  const remarked = foreign && kind.mark !== undefined ? markAgain(kind, news) : undefined;
  const shared = names.filter((name) => kind.fields[name]?.shared);
  const limited = "expiresAfter" in kind.fields && beginsAnew(changes, news);
  const alone = remarked === undefined && !limited;
  if (shared.length === 0 && names.length > 0 && alone && send) return send(patch);
  const present = await kind.read(api, id, state);
  if (present === undefined) throw new ExpectedError(gone, "PODLUMI-GONE");
  if ((names.length === 0 && alone) || !send) return present;
  for (const name of shared) patch[name] = sharedMap(present[name], patch[name], declaration(state)[name]);
  if (remarked !== undefined) patch = withMark(kind, { env: present.env, ...patch }, remarked);
  if (limited)
    patch = withExpiry(
      { env: present.env, ...patch },
      news.expiresAfter,
      wanted.name ?? present.name,
      api.now(),
    );
  return send(patch);
}

/** After a refused change, a read decides whether the object is gone. */
async function failAsGone(
  kind: Kind,
  api: Api,
  id: string,
  state: Properties,
  error: unknown,
): Promise<never> {
  const refused = isRefusal(error) || isNotFound(error);
  if (refused && (await kind.read(api, id, state)) === undefined)
    throw new ExpectedError(gone, "PODLUMI-GONE");
  throw error;
}

/** The resource's own mark, for an object that carries another one. */
function markAgain(kind: Kind, inputs: Properties): string | undefined {
  const owner = ownerOf(inputs);
  return owner && markFor(kind, owner, inputs, newCallDigits(), 1);
}

/** Deletes the twins of an object. */
export async function deleteTwinsInState(kind: Kind, run: Run, id: string, state: Properties): Promise<void> {
  const unanswered = openCreateIn(state, run.api().now());
  if (unanswered === undefined) return;
  const tell = (text: string) => log(state.__urn, text);
  const all = (await kind.list(run.api())) ?? [];
  const candidates = twinsAmong(all, kind, id, unanswered);
  const twins = await run.notInState(candidates, state).catch((error) => {
    if (!(error instanceof StateUnknownError)) throw error;
    const all = candidates.map((one) => describe(kind, one)).join(", ");
    tell(`leaves what an open request has made: ${all}. ${errorText(error)}`);
    return [];
  });
  await deleteTwins(run.api(), kind, twins, tell);
}
