import type { CreateResult } from "@pulumi/pulumi/dynamic";
import type { Properties } from "../../value";
import { editOf, onErrand, type Resource } from "../call";
import type { Match } from "../compare/match";
import { failIfInOtherAccount } from "../guard/other-account";
import type { ServiceObject } from "../kind";
import { markDigits, markToGet } from "../mark/carried";
import { objectToAdopt } from "../own/adopt";
import { proofOf } from "../own/held";
import { leftoversOf, tellLeftovers } from "../own/leftover";
import { sendChanges } from "../send/change";
import { sendCreate } from "../send/create";
import { finish, type Outcome } from "../send/finish";
import { internalInputsOf, withoutInternals } from "../state/internals";
import { wantedInputs } from "../state/state";
import { explaining, title } from "../telling";
import { change } from "./update";

/** The object that a resource has got, and how. */
type Obtained = Pick<
  Outcome,
  "wanted" | "isWritten" | "previousRelease" | "unanswered" | "isFound" | "isTaken"
> & {
  readonly observed: ServiceObject;
};

/**
 * Gives a resource its object: adopted, left by a killed run, or new. Once there is an id, the state keeps the object, whatever fails later. A retry
 * by a hook updates what the first attempt has left.
 */
export async function create(resource: Resource, timeout?: number): Promise<CreateResult> {
  const { kind, run, record, inputs, api } = resource;
  if (record.left !== undefined)
    return change(editOf(kind, run, record.left.id, record.left.state, inputs), timeout);
  const obtained = await explaining(`could not create ${title(kind, inputs)}`, resource, async () => {
    // The state is to have the account: asked for at once, its response delays nothing.
    void run.accounts.own(api());
    await failIfInOtherAccount(resource);
    return (await adopt(resource)) ?? (await takeOverLeftover(resource)) ?? (await createNew(resource));
  });
  const { id } = obtained.observed;
  return { id, outs: await finish({ ...resource, id, state: {}, timeout, ...obtained }) };
}

/** The object that the program adopts; undefined where it adopts none. */
async function adopt(resource: Resource): Promise<Obtained | undefined> {
  const match = resource.record.adopts(resource.inputs) ? await objectToAdopt(resource) : undefined;
  return match && takeOver(resource, match);
}

/** The leftover of a killed run; undefined where there is none. */
async function takeOverLeftover(resource: Resource): Promise<Obtained | undefined> {
  const { match, others } = await leftoversOf(resource, resource.inputs.name);
  tellLeftovers(resource, match, others);
  return match && takeOver(resource, match);
}

async function createNew(resource: Resource): Promise<Obtained> {
  const wanted = withoutAdopt(resource.inputs);
  const { object, unanswered } = await sendCreate(resource, wanted);
  return { observed: object, wanted, isWritten: true, unanswered };
}

/** Takes an existing object, and changes it into what the program says. */
async function takeOver(resource: Resource, match: Match): Promise<Obtained> {
  const { kind, run, record, urn, inputs } = resource;
  const { id } = match;
  run.holders.claim(kind, id, urn);
  record.finds(id);
  const wanted = wantedInputs(kind.fields, match.state, withoutAdopt(inputs));
  const found = { ...internalInputsOf(inputs), ...match.state, __mark: markDigits(kind, match.observed) };
  const proof = proofOf({ ...resource, id, state: found });
  proof.holds();
  const bound = onErrand(resource, { proof });
  const sent = await sendChanges({ ...bound, ...match, state: found, wanted });
  const isTaken = match.rewritesMark && markToGet(kind, inputs) !== found.__mark;
  return { ...sent, observed: { ...sent.observed, id }, wanted, isFound: true, isTaken };
}

function withoutAdopt(inputs: Properties): Properties {
  const { adopt, ...wanted } = withoutInternals(inputs);
  return wanted;
}
