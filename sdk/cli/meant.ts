import type { Api } from "../../provider/client/api";
import { ExpectedError } from "../../provider/client/errors";
import type { ServiceObject } from "../../provider/core/kind";
import { markOf } from "../../provider/core/mark/carried";
import { nearestName } from "../../provider/did-you-mean";
import { inLine } from "../../provider/mask";
import { definitionOf, type ListedKind } from "./kinds";
import { tell } from "./output";

/** An object that a person named. */
interface Meant {
  readonly kind: ListedKind;
  readonly object: ServiceObject;
}

/**
 * The object that a person means: the one with this id, or else the only one with this name, or else the only one whose mark names a
 * resource of this name, since podlumi adds digits to the names that it makes up. It tells which one that is. `act` is for a command
 * that changes the object: there, a resource is not enough, which may be that of another stack.
 */
export async function meant(
  api: Api,
  kinds: readonly ListedKind[],
  text: string,
  to: "ask" | "act" = "ask",
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
  const named = all.filter(({ object }) => object.name === text);
  const ofResource = to === "act" ? [] : all.filter((one) => resourceOf(one)?.endsWith(`::${text}`));
  const found = named.length > 0 ? named : ofResource;
  const [one, ...more] = found;
  if (one === undefined) throw new ExpectedError(nothing(kinds, text, all), "PODLUMI-NOT-FOUND");
  if (more.length > 0) throw new ExpectedError(several(text, found), "PODLUMI-AMBIGUOUS");
  if (named.length === 0) tell(`podlumi: ${inLine(text)} is ${described(one)}`);
  return { ...one, object: (await present(api, one.kind, one.object.id)) ?? one.object };
}

async function present(api: Api, kind: ListedKind, id: string): Promise<ServiceObject | undefined> {
  const object = await definitionOf(kind).read(api, id, {});
  return object && { ...object, id };
}

/** The resource in the mark of an object, such as `Pod::web`. */
function resourceOf({ kind, object }: Meant): string | undefined {
  return markOf(definitionOf(kind), object)?.readable?.resource;
}

function nothing(kinds: readonly ListedKind[], text: string, all: readonly Meant[]): string {
  const nouns = kinds.map((kind) => definitionOf(kind).noun).join(" and no ");
  const others = all.map(({ object }) => object);
  const next = nearestName(text, others) || ": `npx podlumi ls` lists what there is";
  return `there is no ${nouns} "${text}" in this account${next}`;
}

function several(text: string, found: readonly Meant[]): string {
  return `"${text}" may be ${found.map(described).join(", or ")}: give the id of the one that is meant`;
}

function described(one: Meant): string {
  const { kind, object } = one;
  const stack = markOf(definitionOf(kind), object)?.readable?.stack;
  const whose = stack === undefined ? "" : ` of ${inLine(stack)}`;
  return `the ${definitionOf(kind).noun} ${inLine(String(object.name))} (${object.id})${whose}`;
}
