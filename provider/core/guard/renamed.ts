import type { Stated } from "../../engine/export";
import { warn } from "../../engine/log";
import { kindOfUrn, partsOfUrn } from "../../identity";
import type { Newcomer } from "../at-end";
import { mayEqual } from "../compare/may-equal";
import type { Kind } from "../kind/definition";
import { withoutInternals } from "../kind/state";
import type { Run } from "../run";
import { describe, unlessEnded } from "../telling";
import type { Properties } from "../value";

/** A new resource, and one that has left the program and may have been renamed to it. */
interface Renamed {
  readonly newcomer: Newcomer;
  readonly former: Stated;
  /** The name of its parent, and the one that the parent may have now, where these explain the names of the two. */
  readonly parents?: { readonly was: string; readonly is: string } | undefined;
}

const code = "PODLUMI-RENAMED";

/** Whether objects of a kind may be lost although others take their place. */
export function mayLoseByRename({ dataHeld, knownBy }: Kind): boolean {
  return dataHeld !== undefined || knownBy !== undefined;
}

/** What is lost with the object of a state, although another one takes its place; undefined when nothing is. */
function lostByRename(
  kind: Kind,
  { outputs, inputs }: Pick<Stated, "inputs" | "outputs">,
): string | undefined {
  return kind.dataHeld?.(outputs) ?? kind.dataHeld?.(inputs) ?? kind.knownBy;
}

/**
 * At the end of a preview, warns where a new resource has the arguments of one that has left the program, or is the only other
 * one of its kind: without an alias, a new name deletes the object, with its data or its id. In the `up` after that, the warning would come
 * too late.
 */
export async function warnOfRenames(run: Run): Promise<void> {
  const { did, atEnd } = run;
  if (atEnd.newcomers.length === 0 || run.states.creates) return;
  if (did.delete || did.fail || run.command.isPartial) return;
  const { objects = [] } = (await run.states.ownIfTold()) ?? {};
  // An alias has given it another one in this run.
  const ownerOf = ({ id, urn }: Stated) => run.owners.known(id) ?? urn;
  const left = objects.filter((one) => run.notes(ownerOf(one)).checked === undefined).sort(byName(ownerOf));
  // What is replaced is checked as new, too.
  const having = new Set<unknown>(objects.map(ownerOf));
  const newcomers = atEnd.newcomers
    .filter(({ inputs }) => !having.has(inputs.__urn))
    .sort(byName(({ inputs }) => inputs.__urn));
  const haveAllLeft = (parent: unknown) =>
    objects.every((one) => one.parent !== parent || left.includes(one));
  tellAll(matched(left, newcomers), haveAllLeft);
}

/**
 * Which of what has left may have which new name: first what has the arguments of a new resource, one to one, and then all the others for the
 * only new resource that is left. Beside others, one is not left that has the arguments of what another one gets.
 */
function matched(left: readonly Stated[], newcomers: readonly Newcomer[]): Renamed[] {
  const chosen = new Set<Stated>();
  const formersOf = (newcomer: Newcomer) =>
    left
      .filter((object) => mayBeFormer(object, newcomer) && !chosen.has(object))
      .map((former) => ({ newcomer, former, parents: parentsOf(newcomer, former) }));
  const isLike = ({ newcomer, former }: Renamed) => hasArgumentsOf(former, newcomer);
  const alike = new Set(newcomers.filter((newcomer) => formersOf(newcomer).some(isLike)));
  const pairs = newcomers.flatMap((newcomer) => {
    const [pair] = likeliest(formersOf(newcomer).filter(isLike));
    if (pair === undefined) return [];
    chosen.add(pair.former);
    return pair;
  });
  const others = newcomers.filter((one) => pairs.every(({ newcomer }) => newcomer !== one));
  const changed = others.filter((one) => !alike.has(one));
  const rivalsOf = ({ kind }: Newcomer) => (changed.some((one) => one.kind === kind) ? changed : others);
  const rest = others.filter((one) => isOnly(one, rivalsOf(one))).map(formersOf);
  return [...pairs, ...rest.flatMap(likeliest)];
}

/** The one that the name of a parent tells; all of them where it tells none. */
function likeliest(formers: readonly Renamed[]): readonly Renamed[] {
  const near = formers.find(({ parents }) => parents !== undefined);
  return near === undefined ? formers : [near];
}

/** Tells of all at once, and once for each parent of which all children have left. */
function tellAll(renamed: readonly Renamed[], haveAllLeft: (parent: unknown) => boolean): void {
  const single: Renamed[] = [];
  const families = new Map<string, Renamed[]>();
  for (const one of renamed) {
    const { parents, former } = one;
    const family = `${former.parent} ${parents?.is}`;
    if (parents === undefined || !haveAllLeft(former.parent)) single.push(one);
    else families.set(family, [...(families.get(family) ?? []), one]);
  }
  tell(single);
  for (const children of families.values()) tellOfParent(children);
}

/** Orders by URNs. What a program declares in a loop has a number in its name, before a new name and after it. */
function byName<T>(urnOf: (one: T) => unknown): (one: T, other: T) => number {
  return (one, other) => (String(urnOf(one)) < String(urnOf(other)) ? -1 : 1);
}

/** Whether a resource is the only new one of its kind, or the only one with data where one has some. */
function isOnly(newcomer: Newcomer, newcomers: readonly Newcomer[]): boolean {
  const { kind } = newcomer;
  const ofKind = newcomers.filter((one) => one.kind === kind);
  const holding = ofKind.filter(({ inputs }) => kind.dataHeld?.(inputs) !== undefined);
  const rivals = holding.length > 0 ? holding : ofKind;
  return rivals.length === 1 && rivals[0] === newcomer;
}

/** Whether something is lost with an object of the kind of a new resource, which the same provider serves. */
function mayBeFormer(stated: Stated, { kind, inputs: news }: Newcomer): boolean {
  const { urn, isGone, isKept, servedBy } = stated;
  const isOfKind = kindOfUrn(urn) === kind.type && servedBy === news.__stack;
  return isOfKind && !isGone && !isKept && lostByRename(kind, stated) !== undefined;
}

/** Whether an object has the arguments of a new resource, but for the name. */
function hasArgumentsOf({ inputs }: Stated, { inputs: news }: Newcomer): boolean {
  const arguments_ = ({ name, ...rest }: Properties) => withoutInternals(rest);
  return mayEqual(arguments_(inputs), arguments_(news));
}

/** An alias of the parent reaches a child whose name begins with the parent's. */
function parentsOf({ inputs }: Newcomer, { urn, parent = "" }: Stated): Renamed["parents"] {
  const [was, before, now] = [partsOfUrn(parent).name, partsOfUrn(urn), partsOfUrn(inputs.__urn)];
  const rest = before.name.slice(was.length);
  const isOfParent = before.types.includes("$") && before.name.startsWith(was);
  if (!isOfParent || before.types !== now.types || !now.name.endsWith(rest)) return undefined;
  return { was, is: now.name.slice(0, now.name.length - rest.length) };
}

function tell(renamed: readonly Renamed[]): void {
  const [first, ...others] = renamed;
  if (first === undefined) return;
  if (others.length === 0) {
    const [name, advice] = advised(first);
    warn(
      first.newcomer.inputs.__urn,
      `${name} is no longer in the program${unlessEnded}: ${advice} to keep it`,
      code,
    );
    return;
  }
  const lines = renamed.map((one) => advised(one).join(": "));
  const said = `${renamed.length} resources are no longer in the program${unlessEnded}:\n${lines.join("\n")}`;
  warn(undefined, said, code);
}

/** The name of what has left, and how to keep it. */
function advised({ newcomer, former }: Renamed): [name: string, advice: string] {
  const [before, now] = [partsOfUrn(former.urn), partsOfUrn(newcomer.inputs.__urn)];
  const alias = before.types === now.types ? `{ name: "${before.name}" }` : `"${former.urn}"`;
  const keeping = `write aliases: [${alias}] in the options of ${now.name}`;
  return [before.name, `its ${lossIn(newcomer, former)}. If ${now.name} is its new name, ${keeping}`];
}

/** Tells once what becomes of all children of a parent. */
function tellOfParent(children: readonly Renamed[]): void {
  const [{ newcomer, parents } = {}] = children;
  const losses = children.map(({ newcomer, former }) => `the ${lossIn(newcomer, former)}`);
  warn(
    newcomer?.inputs.__urn,
    `nothing of ${parents?.was} is in the program any more${unlessEnded}: ${losses.join("; ")}. ` +
      `If ${parents?.is} is the new name of ${parents?.was}, ` +
      `write aliases: [{ name: "${parents?.was}" }] in the options of ${parents?.is} itself, which keeps all that is in it`,
    code,
  );
}

function lossIn({ kind }: Newcomer, former: Stated): string {
  const object = describe(kind, { id: former.id, name: former.inputs.name });
  return `${object} is deleted, and ${lostByRename(kind, former)} with it`;
}
