// Texts about names that somebody has. Objects come as `template "worker" (tpl123)`, resources as `Template "worker"`.

/** Two resources of the program ask for one name; `one` is that to change. */
export const nameTwice = (noun: string, other: string, one: string) =>
  `is also the name of ${other}. Names of ${noun}s are unique in the account: give ${one} another name`;

/** The name of an object, and of its resource in this run. */
const taken = (object: string, owner?: string) =>
  `the name is that of the ${object}${owner === undefined ? "" : ` of the resource ${owner}`}`;

const ways = (id: string) =>
  `Give another name, leave name out, or write adopt: "${id}"; to replace its holder, set deleteBeforeReplace`;

export const nameTaken = (object: string, id: string, owner?: string) =>
  `${taken(object, owner)}. ${ways(id)}`;

export const nameMustBecomeFree = (object: string, id: string, seconds: number, owner?: string) =>
  `${taken(object, owner)}, and must become free within ${seconds} s. ${ways(id)}`;

export const nameOfAnother = (object: string, ids: string) =>
  `${taken(object)}, and podlumi creates another one of that name. To use the existing one, write adopt: ${ids}`;
