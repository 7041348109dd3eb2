import type { CreateResult } from "@pulumi/pulumi/dynamic";
import type { Resource } from "../call";
import { failIfInOtherAccount } from "../guard/other-account";
import type { ServiceObject } from "../kind";
import { objectToAdopt } from "../own/adopt";
import { leftoverOf } from "../own/leftover";
import { sendCreate } from "../send/create";
import { finish, type Obtained } from "../send/finish";
import { takeOver } from "../send/take-over";
import { explaining, title } from "../telling";

/**
 * Gives a resource its object: adopted, left by a killed run, or new. Once that has an id and the program's inputs, the state keeps it, whatever
 * fails later.
 */
export async function create(resource: Resource, timeout?: number): Promise<CreateResult> {
  const { kind, inputs } = resource;
  const obtained = await explaining(`could not create ${title(kind, inputs)}`, resource, () =>
    obtain(resource),
  );
  const { id } = obtained.observed;
  return { id, outs: await finish({ ...resource, id, state: {}, timeout, ...obtained }) };
}

/** In this order: it creates nothing in another account, nothing where `adopt` names an object, nothing where there is a leftover. */
async function obtain(resource: Resource): Promise<Obtained<ServiceObject>> {
  const { run, record, inputs, api } = resource;
  // The state is to have the account: asked for at once, its response delays nothing.
  void run.accounts.own(api());
  await failIfInOtherAccount(resource);
  const match = record.willAdopt(inputs)
    ? await objectToAdopt(resource)
    : await leftoverOf(resource, inputs.name);
  return match === undefined ? sendCreate(resource) : takeOver(resource, match);
}
