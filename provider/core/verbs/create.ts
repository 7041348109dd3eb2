import type { CreateResult } from "@pulumi/pulumi/dynamic";
import { editOf, type Resource } from "../call";
import { failIfInOtherAccount } from "../guard/other-account";
import type { ServiceObject } from "../kind";
import { objectToAdopt } from "../own/adopt";
import { leftoversOf, tellLeftovers } from "../own/leftover";
import { sendCreate } from "../send/create";
import { finish, type Obtained } from "../send/finish";
import { takeOver } from "../send/take-over";
import { explaining, title } from "../telling";
import { change } from "./update";

/**
 * Gives a resource its object: adopted, left by a killed run, or new. Once that has an id and the program's inputs, the state keeps it, whatever
 * fails later. A retry by a hook updates what the first attempt has left.
 */
export async function create(resource: Resource, timeout?: number): Promise<CreateResult> {
  const { kind, record, inputs } = resource;
  if (record.left !== undefined)
    return change(editOf(kind, resource.run, record.left.id, record.left.state, inputs), timeout);
  const obtained = await explaining(`could not create ${title(kind, inputs)}`, resource, () =>
    obtain(resource),
  );
  const { id } = obtained.observed;
  return { id, outs: await finish({ ...resource, id, state: {}, timeout, ...obtained }) };
}

/** The order is the promise: no object in another account, none beside the one to adopt, and none beside one that a killed run has left. */
async function obtain(resource: Resource): Promise<Obtained<ServiceObject>> {
  const { run, record, inputs, api } = resource;
  // The state is to have the account: asked for at once, its response delays nothing.
  void run.accounts.own(api());
  await failIfInOtherAccount(resource);
  const match = record.adopts(inputs) ? await objectToAdopt(resource) : await leftover(resource);
  return match === undefined ? sendCreate(resource) : takeOver(resource, match);
}

/** The leftover of a killed run; undefined where there is none. */
async function leftover(resource: Resource) {
  const { match, others } = await leftoversOf(resource, resource.inputs.name);
  tellLeftovers(resource, match, others);
  return match;
}
