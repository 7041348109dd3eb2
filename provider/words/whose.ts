// Texts about whose an object is, and what can be adopted. Objects come as `pod "web" (7h9k2m4n6p)`, resources as `Pod "web"`.

export const heldByAnother = (holder: string) =>
  `it belongs to ${holder} by now, which adopted it. Give this resource another logical name to have an object of its own, or take it ` +
  "out of the program";

export const leavesHeld = (noun: string, id: string, holder: string) =>
  `leaves the ${noun} ${id}, which ${holder} has adopted`;

export const declaredTwice = (noun: string, id: string, holder: string) =>
  `the ${noun} ${id} is ${holder} already. To rename that resource, use aliases`;

export const singleTwice = (noun: string, other: string) =>
  `the account has its ${noun} once, and ${other} declares them already: put all of them into one resource`;

export const readOnly = (noun: string, id: string, why: string) =>
  `the ${noun} ${id} ${why}. To use it as it is, read it with \`get\``;

export const adoptDiffers = (noun: string, id: string, differing: readonly string[]) =>
  `the ${noun} ${id} differs in what cannot be changed: ${differing.join(", ")}. Write it so in the program, or ${removeAdopt}`;

export const removeAdopt = "remove adopt to create another one";

export const adoptRenamed = (noun: string, name: unknown, id: string) =>
  `there is no ${noun} "${name}" in this account, but the ${noun} ${id} has the name that this resource is to get. If it is the one, ` +
  `write adopt: "${id}"`;

/** `near` suggests a similar name. */
export const adoptNothing = (noun: string, name: unknown, near: string) =>
  `there is no ${noun} "${name}" in this account${near || "."} Remove adopt to create one`;

export const adoptSeveral = (noun: string, name: unknown, ids: readonly string[]) =>
  `${ids.length} ${noun}s are called "${name}": adopt one by its id, ${ids.join(" or ")}`;

export const importedMark = (noun: string, holder: string, id: string) =>
  `the ${noun} carries the mark of ${holder}: while that stack has it in its state, its destroy deletes it. Write adopt: "${id}" instead of the import`;

export const adoptedWithoutMark = (id: string) =>
  `under a name of the program, ${id} cannot carry this resource's mark, so the other stack's destroy would delete it. Leave name out, or ` +
  "run `pulumi state delete` there";

export const staysLeftOver = (object: string) =>
  `the ${object} carries the mark of this resource and is in no state, and it stays: \`npx podlumi sweep --stack\` deletes it, after asking`;

export const stateUnknown = (object: string, id: string) =>
  `podlumi cannot read the stack's state, which may have the ${object} with this mark. Put \`pulumi\` on the PATH, or else ` +
  `write adopt: "${id}" or run \`npx podlumi sweep\``;

export const newInOtherAccount = (own: string, other: string) =>
  `the API key is of the account ${own}, not of ${other}, where this stack has its objects. Set the key of that one again`;

export const goneInOtherAccount = (own: string, other: string) =>
  `the API key is of the account ${own}, not of ${other}, which has it. Set the key of that one again; if somebody really deleted it, ` +
  "`pulumi state delete` takes it out of the state";

const keysOfOthers = (keys: string) =>
  `the account has keys that are not in this list and would be removed: ${keys}`;

export const keysWouldGo = (keys: string) =>
  `${keysOfOthers(keys)}. Add them to keys, and take out in a later run what is to go`;

export const knownKeysWouldGo = (keys: string) =>
  `${keysOfOthers(keys)}. Add them to keys, or run \`pulumi refresh\`, after which the preview shows that they go`;
