import type { Contract, Operation } from "./digest";
import { type Part, partOf } from "./parts";
import type { Facts, Shape } from "./shape";

/** One thing that differs between two contracts. */
export interface Change {
  /** Such as `new field labels`. */
  readonly what: string;
  /** Where: operations, each with `body` or a status. */
  readonly places: readonly string[];
  /** What podlumi has of it, and in which file: one line for each part of podlumi. */
  readonly here: readonly string[];
}

/** What differs, as one line for each field, limit, value, status or operation, however many operations have it. */
export function changes(from: Contract, to: Contract): Change[] {
  const found = new Map<string, { places: Set<string>; here: Set<string> }>();
  const tell: Tell = (place, what, here) => {
    const entry = found.get(what) ?? { places: new Set(), here: new Set() };
    entry.places.add(place);
    entry.here.add(here);
    found.set(what, entry);
  };
  for (const name of new Set([...from.operations.keys(), ...to.operations.keys()])) {
    const [before, after] = [from.operations.get(name), to.operations.get(name)];
    const part = partOf(name);
    if (before === undefined && after !== undefined)
      tell(
        name,
        `new operation ${name}${summary(after)}`,
        part ? `${part.folder}: see whether it has use for it` : nobody,
      );
    else if (after === undefined) tell(name, `operation ${name} is gone`, part ? part.folder : nobody);
    else if (before !== undefined) compareOperation(name, before, after, part, tell);
  }
  return [...found].map(([what, { places, here }]) => ({ what, places: [...places], here: [...here] }));
}

const nobody = "no part of podlumi calls it";

type Tell = (place: string, what: string, here: string) => void;

/** What a new operation takes and answers. */
function summary({ body, answers }: Operation): string {
  const fields = body === undefined ? [] : [...body.keys()].filter((path) => path !== "");
  const takes = fields.length > 0 ? `, takes ${fields.join(", ")}` : "";
  return `${takes}, answers ${[...answers.keys()].join(", ")}`;
}

function compareOperation(
  name: string,
  before: Operation,
  after: Operation,
  part: Part | undefined,
  tell: Tell,
): void {
  const folder = part?.folder ?? nobody;
  for (const status of new Set([...before.answers.keys(), ...after.answers.keys()])) {
    if (!before.answers.has(status))
      tell(name, `new status ${status}`, `${folder}: see provider/client/policy.ts`);
    else if (!after.answers.has(status)) tell(name, `status ${status} is gone`, folder);
  }
  const parameter = (path: string) => (part ? `${folder}: see whether it should send ${path}` : nobody);
  compareShapes(before.parameters, after.parameters, `${name} parameters`, parameter, tell);
  const argument = (path: string, facts?: Facts) => inTable(part, path, facts);
  compareShapes(before.body ?? new Map(), after.body ?? new Map(), `${name} body`, argument, tell);
  for (const [status, shape] of after.answers) {
    const old = before.answers.get(status);
    const shown = (path: string, facts?: Facts) =>
      status >= "4" ? "provider/client/errors.ts" : inOutputs(part, path, facts);
    const list = status < "4" ? part?.list : undefined;
    if (old) compareShapes(ofItems(old, list), ofItems(shape, list), `${name} ${status}`, shown, tell);
  }
}

/** If an answer is a list, the shape of its objects. Fields beside the list keep their paths. */
export function ofItems(shape: Shape, list: string | undefined): Shape {
  if (list === undefined || !shape.has(list)) return shape;
  const item = `${list}[]`;
  return new Map(
    [...shape].map(([path, facts]) => [
      path.startsWith(`${item}.`) ? path.slice(item.length + 1) : path === "" ? list : path,
      facts,
    ]),
  );
}

function compareShapes(
  before: Shape,
  after: Shape,
  place: string,
  here: (path: string, facts?: Facts) => string,
  tell: Tell,
): void {
  const inside = (path: string, others: readonly string[]) =>
    others.some((other) => other !== "" && [".", "[]", "{}"].some((next) => path.startsWith(other + next)));
  const added = [...after.keys()].filter((path) => !before.has(path));
  const gone = [...before.keys()].filter((path) => !after.has(path));
  for (const path of added.filter((path) => !inside(path, added))) {
    const inner = added.filter(
      (other) => inside(other, [path]) && !other.endsWith("]") && !other.endsWith("}"),
    );
    const facts = after.get(path) ?? {};
    const more =
      inner.length > 0 ? `, with ${inner.map((other) => other.slice(path.length + 1)).join(", ")}` : "";
    tell(place, `new ${path === "" ? "body" : `field ${path}`}${told(facts)}${more}`, here(path, facts));
  }
  for (const path of gone.filter((path) => !inside(path, gone)))
    tell(place, `${path === "" ? "the body" : `field ${path}`} is gone`, here(path));
  for (const [path, facts] of after) {
    const old = before.get(path);
    if (old === undefined) continue;
    for (const key of new Set([...Object.keys(old), ...Object.keys(facts)]) as Set<keyof Facts>) {
      const [one, other] = [old[key], facts[key]].map((value) => JSON.stringify(value));
      if (one === other) continue;
      const field = path === "" ? "the body" : `field ${path}`;
      tell(
        place,
        `${field}: ${key} is ${other ?? "not said any more"}, was ${one ?? "not said"}`,
        here(path, facts),
      );
    }
  }
}

function told({ type, required, enum: values }: Facts): string {
  const words = [type, required && "required", values && `one of ${values}`].filter(Boolean);
  return words.length > 0 ? ` (${words.join(", ")})` : "";
}

/** What the field table of a kind has under a path. */
function inTable(part: Part | undefined, path: string, facts?: Facts): string {
  if (part?.fields === undefined) return part === undefined ? nobody : part.folder;
  if (path === "") return `${part.folder}: rules and field table`;
  const own = part.takes.get(path);
  if (own === undefined) return `${part.folder}: the field table has no ${path}`;
  return `${part.folder}: the field table has ${path} as ${short(own)}${facts === undefined ? ", and sends it" : ""}`;
}

function inOutputs(part: Part | undefined, path: string, facts?: Facts): string {
  if (part === undefined) return nobody;
  if (path === "" || path === part.list) return `${part.folder}: outputs`;
  const own = knownIn(part.shows, path);
  if (own === undefined) return `${part.folder}: the outputs have no ${path}`;
  return `${part.folder}: the outputs have ${path} as ${short(own)}${facts === undefined ? ", which stays empty" : ""}`;
}

/** The facts of a field; also of one below a map or below anything, whose keys are not told. */
export function knownIn(shape: Shape, path: string): Facts | undefined {
  const own = shape.get(path);
  if (own !== undefined) return own;
  const above = parentOf(path);
  if (above === "") return undefined;
  const holder = shape.get(above);
  const open = holder !== undefined && (holder.type ?? "object") === "object" && !holder.closed;
  const hasFields = [...shape.keys()].some((other) => other.startsWith(`${above}.`));
  return shape.get(`${above}{}`) ?? (open && !hasFields ? {} : undefined);
}

/** The path of what holds a field; empty for a field of the body itself. */
export function parentOf(path: string): string {
  return path.replace(/(\.?[^.[\]{}]+|\[\]|\{\})$/, "");
}

/** The facts in a few words: `integer, minimum 10, maximum 4096`. */
function short(facts: Facts): string {
  const words = Object.entries(facts)
    .filter(([key, value]) => value !== undefined && key !== "closed" && key !== "pattern")
    .map(([key, value]) => (key === "type" ? value : key === "required" ? key : `${key} ${value}`));
  return words.length > 0 ? words.join(", ") : "anything";
}
