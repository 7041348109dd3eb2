import type { Api } from "../../provider/client/api";
import { ExpectedError } from "../../provider/client/errors";
import type { ServiceObject } from "../../provider/core/kind";
import { nearestName } from "../../provider/did-you-mean";
import { inLine } from "../../provider/mask";
import { definitionOf, type ListedKind, markIn } from "./kinds";
import { tell } from "./output";
import { selectedStack } from "./states/pulumi";

/** An object that a person named. */
interface Meant {
  readonly kind: ListedKind;
  readonly object: ServiceObject;
}

/** How to take the name of a resource. */
export interface Search {
  /** `project/stack` of the resource. Default: the selected stack of this folder, and outside of a project any stack. */
  readonly stack?: string;
  /** The command changes the object. So outside of a project, the name of a resource is not enough: it may be another stack's. */
  readonly changes?: true;
}

/**
 * The object that a person means: the one with this id, or else the one that the mark names as this resource of the stack, since podlumi
 * adds digits to the names that it makes up, or else the only one of this name. It tells which one a resource is.
 */
export async function meant(
  api: Api,
  kinds: readonly ListedKind[],
  text: string,
  { stack, changes }: Search = {},
): Promise<Meant> {
  for (const kind of kinds) {
    const object = await present(api, kind, text);
    if (object !== undefined) return { kind, object };
  }
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const objects = (await definitionOf(kind).list(api)) ?? [];
      return objects.map((object) => ({ kind, object }));
    }),
  );
  const all = lists.flat();
  const named = stack === undefined ? all.filter(({ object }) => object.name === text) : [];
  const resources = all.filter((one) => markIn(one)?.readable?.resource.endsWith(`::${text}`));
  // Asked only where it matters: `pulumi` takes its time.
  const whose = resources.length === 0 ? stack : (stack ?? (await selectedStack()));
  const ofStack = resources.filter((one) => markIn(one)?.readable?.stack === whose);
  const ofAny = whose === undefined && !changes ? resources : [];
  const found = [ofStack, named, ofAny].find(({ length }) => length > 0) ?? [];
  const [one, ...more] = found;
  if (one === undefined)
    throw new ExpectedError(nothing(kinds, text, { all, resources, whose }), "PODLUMI-NOT-FOUND");
  if (more.length > 0) throw new ExpectedError(several(text, found), "PODLUMI-AMBIGUOUS");
  if (found !== named) tell(`podlumi: ${inLine(text)} is ${described(one)}`);
  return { ...one, object: (await present(api, one.kind, one.object.id)) ?? one.object };
}

async function present(api: Api, kind: ListedKind, id: string): Promise<ServiceObject | undefined> {
  const object = await definitionOf(kind).read(api, id, {});
  return object && { ...object, id };
}

interface Seen {
  readonly all: readonly Meant[];
  /** Those of any stack that a resource of this name has. */
  readonly resources: readonly Meant[];
  readonly whose: string | undefined;
}

function nothing(kinds: readonly ListedKind[], text: string, { all, resources, whose }: Seen): string {
  const nouns = kinds.map((kind) => definitionOf(kind).noun).join(" and no ");
  const stacks = [...new Set(resources.map((one) => inLine(String(markIn(one)?.readable?.stack))))];
  if (stacks.length > 0)
    return `there is no ${nouns} "${text}"${whose === undefined ? "" : ` of ${whose}`}: give --stack, such as ${stacks.join(" or ")}`;
  if (whose !== undefined)
    return `there is no ${nouns} "${text}" of ${whose}: \`npx podlumi ls --stack ${whose}\` lists what it has`;
  const others = all.map(({ object }) => object);
  const next = nearestName(text, others) || ": `npx podlumi ls` lists what there is";
  return `there is no ${nouns} "${text}" in this account${next}`;
}

function several(text: string, found: readonly Meant[]): string {
  return `"${text}" may be ${found.map(described).join(", or ")}: give the id of the one that is meant`;
}

function described(one: Meant): string {
  const { kind, object } = one;
  const stack = markIn(one)?.readable?.stack;
  const whose = stack === undefined ? "" : ` of ${inLine(stack)}`;
  return `the ${definitionOf(kind).noun} ${inLine(String(object.name))} (${object.id})${whose}`;
}
