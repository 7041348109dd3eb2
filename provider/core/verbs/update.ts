import type { UpdateResult } from "@pulumi/pulumi/dynamic";
import type { Api } from "../../client/api";
import { ExpectedError, isNotFound, isRefusal, told } from "../../client/errors";
import { remark } from "../../engine/log";
import type { Kind, Observed } from "../definition";
import { type Differences, declaration, differences } from "../diff";
import { gone } from "../errors";
import { newCall, ownerOf } from "../mark";
import { whileTaken } from "../names";
import { marked, markFor, toldObject } from "../ownership";
import { type Run, StateUnknownError } from "../run";
import { body, sharedMap, wantedInputs } from "../state";
import { doing, titled } from "../telling";
import { deleteTwins, twinsAmong, unansweredIn } from "../twins";
import type { Properties } from "../value";
import { ensured } from "./ensure";

/** Changes an object into what the program says. */
export async function update(
  kind: Kind,
  run: Run,
  id: string,
  olds: Properties,
  news: Properties,
): Promise<UpdateResult> {
  run.own(id, news);
  const wanted = wantedInputs(kind.fields, olds, news);
  const observed = await doing(`could not update ${titled(kind, news)} (${id})`, kind, news, async () => {
    await endTwins(kind, run, id, olds);
    const changes = await differences(kind.fields, olds, news, () => run.api());
    return sendChanges(kind, run, { id, state: olds, changes, marked: false }, news, wanted);
  });
  return { outs: await ensured(kind, run, id, news, wanted, observed, { before: olds }) };
}

/** An object that exists, and how it differs. */
interface Present {
  readonly id: string;
  readonly state: Properties;
  readonly changes: Differences;
  /** It carries the mark of another resource. */
  readonly marked: boolean;
}

/** Sends what differs in one request, or only looks when nothing does. */
export async function sendChanges(
  kind: Kind,
  run: Run,
  { id, state, changes, marked: foreign }: Present,
  news: Properties,
  wanted: Properties,
): Promise<Observed> {
  const api = run.api();
  const { update } = kind;
  const send =
    update &&
    ((patch: Properties) => {
      const act = () =>
        update(api, id, body(kind.fields, patch), news).catch((error) => orGone(kind, api, id, state, error));
      return kind.uniqueName && patch.name !== undefined ? whileTaken(kind, run, news, act) : act();
    });
  const names = [...changes.keys()].filter((name) => !kind.fields[name]?.ensured);
  let patch = Object.fromEntries(names.map((name) => [name, wanted[name]]));
  const remarked = foreign && kind.mark !== undefined ? markAgain(kind, news) : undefined;
  const shared = names.filter((name) => kind.fields[name]?.shared);
  if (shared.length === 0 && names.length > 0 && remarked === undefined && send) return send(patch);
  const present = await kind.read(api, id, state);
  if (present === undefined) throw new ExpectedError(gone, "PODLUMI-GONE");
  if ((names.length === 0 && remarked === undefined) || !send) return present;
  for (const name of shared) patch[name] = sharedMap(present[name], patch[name], declaration(state)[name]);
  if (remarked !== undefined) patch = marked(kind, { env: present.env, ...patch }, remarked);
  return send(patch);
}

/** Where the service refuses a change, a look tells whether the object is gone. */
async function orGone(kind: Kind, api: Api, id: string, state: Properties, error: unknown): Promise<never> {
  const refused = isRefusal(error) || isNotFound(error);
  if (refused && (await kind.read(api, id, state)) === undefined)
    throw new ExpectedError(gone, "PODLUMI-GONE");
  throw error;
}

/** The mark of a resource for an object that carries another one's. */
function markAgain(kind: Kind, inputs: Properties): string | undefined {
  const owner = ownerOf(inputs);
  return owner && markFor(kind, owner, inputs, newCall(), 1);
}

/** Deletes what an open create call has made beside an object. */
export async function endTwins(kind: Kind, run: Run, id: string, state: Properties): Promise<void> {
  const unanswered = unansweredIn(state, run.api().now());
  if (unanswered === undefined) return;
  const tell = (text: string) => remark(state.__urn, text);
  const all = (await kind.list(run.api())) ?? [];
  const candidates = twinsAmong(all, kind, id, unanswered);
  const twins = await run.strangers(candidates, state).catch((error) => {
    if (!(error instanceof StateUnknownError)) throw error;
    const all = candidates.map((one) => toldObject(kind, one)).join(", ");
    tell(`leaves what an open request has made: ${all}. ${told(error)}`);
    return [];
  });
  await deleteTwins(run.api(), kind, twins, tell);
}
