import { isDeepStrictEqual } from "node:util";
import type { Field } from "../../provider/schema/field";
import { isRecord } from "../../provider/value";
import { knownIn, ofItems, parentOf } from "./changes";
import type { Contract } from "./digest";
import { type Part, partOf } from "./parts";
import { limits, type Shape } from "./shape";

/** What the contract has, and podlumi lacks or has otherwise: one line for each, with the place in podlumi. */
export function gaps({ operations }: Contract): string[] {
  const found = new Set<string>();
  for (const [name, { body, answers }] of operations) {
    const part = partOf(name);
    const [method, address = ""] = name.split(" ");
    const tell = (text: string) => found.add(`${part?.folder}: ${text}`);
    if (part === undefined) {
      found.add(`${name}: no part of podlumi calls it`);
      continue;
    }
    const ownAddress = address.endsWith("/{id}") || method !== "PATCH";
    if (part.fields !== undefined && body !== undefined && ownAddress && !address.endsWith("/action")) {
      // The body of the create, or of what sets the whole.
      if (method === "POST" || method === "PUT") ofCreate(part, part.fields, body, `${name} body`, tell);
      if (method === "PATCH") ofUpdate(part.fields, body, `${name} body`, tell);
    }
    for (const [status, shape] of answers) if (status < "3") ofAnswer(part, ofItems(shape, part.list), tell);
  }
  return [...found];
}

type Tell = (text: string) => void;

function ofCreate(
  part: Part,
  fields: Readonly<Record<string, Field>>,
  body: Shape,
  place: string,
  tell: Tell,
): void {
  for (const [path, facts] of body) {
    if (path === "") continue;
    const own = knownIn(part.takes, path);
    if (own === undefined) {
      if (knownIn(part.takes, parentOf(path)) !== undefined || parentOf(path) === "")
        tell(`the field table has no ${path}, which requests take`);
      continue;
    }
    for (const limit of limits) {
      const matched = limit === "minLength" && own.pattern !== undefined;
      if (facts[limit] !== undefined && facts[limit] !== own[limit] && !matched)
        tell(`${path} has ${limit} ${own[limit] ?? "unset"} in the field table, ${facts[limit]} in ${place}`);
    }
    if (facts.pattern !== undefined && own.pattern === undefined && own.enum === undefined)
      tell(`${path} has no pattern in the field table, ${facts.pattern} in ${place}`);
    if (facts.enum !== own.enum)
      tell(
        `${path} is one of ${own.enum ?? "any"} in the field table, of ${facts.enum ?? "any"} in ${place}`,
      );
    if (
      withoutNull(facts.type) !== withoutNull(own.type) &&
      facts.type !== undefined &&
      own.type !== undefined
    )
      tell(`${path} is ${own.type} in the field table, ${facts.type} in ${place}`);
    if (facts.required && !own.required) tell(`${path} is optional in the field table, ${place} requires it`);
    const unset = whenUnset(fields, path);
    if (facts.default !== undefined && !isDeepStrictEqual(unset, facts.default))
      tell(
        `${path} is ${JSON.stringify(unset)} when unset in the field table, ${JSON.stringify(facts.default)} in ${place}`,
      );
  }
  const sent = [...part.takes.keys()].filter((path) => !isOwn(fields, path) && !body.has(path));
  for (const path of sent.filter((path) => !sent.includes(parentOf(path))))
    tell(`the field table has ${path}, which ${place} does not take`);
}

function ofUpdate(fields: Readonly<Record<string, Field>>, body: Shape, place: string, tell: Tell): void {
  for (const path of body.keys()) {
    if (path === "" || parentOf(path) !== "") continue;
    const field = fields[path];
    if (field === undefined) tell(`the field table has no ${path}, which requests take`);
    else if (field.change === "replace") tell(`${path} replaces the object, though ${place} takes it`);
  }
  for (const [name, { change, setting, notInBody, writeOnly }] of Object.entries(fields))
    if (change === "update" && !setting && !notInBody && writeOnly !== true && !body.has(name))
      tell(`${name} is changed in place, but ${place} does not take it`);
}

function ofAnswer(part: Part, shape: Shape, tell: Tell): void {
  const lacking: string[] = [];
  for (const [path, facts] of shape) {
    // The engine keeps the id; pages are followed by provider/client.
    if (["", "id", part.list, `${part.list}[]`].includes(path) || /^pagination\b/.test(path)) continue;
    if (lacking.some((one) => path !== one && path.startsWith(one))) continue;
    const own = knownIn(part.shows, path);
    if (own === undefined) {
      lacking.push(path);
      tell(`the outputs have no ${path}`);
    } else if (facts.enum !== undefined && own.enum !== undefined && facts.enum !== own.enum)
      tell(`${path} is one of ${own.enum} in the outputs, of ${facts.enum} in answers`);
  }
}

const withoutNull = (type = "") => type.replace(/^null\||\|null/, "");

/** Fields that no body of a create holds: they control podlumi, or other requests send them. */
function isOwn(fields: Readonly<Record<string, Field>>, path: string): boolean {
  const field = fields[/^[^.[{]*/.exec(path)?.[0] ?? ""];
  return path === "" || field?.setting === true || field?.notInBody === true || path === "templateRevision";
}

/** What the field table says the service has for a field that nobody sets. */
function whenUnset(fields: Readonly<Record<string, Field>>, path: string): unknown {
  const [name = "", key] = path.split(".");
  const { cleared, clearedKeys, toRequest } = fields[name] ?? {};
  if (key !== undefined) return clearedKeys?.[key] ?? (isRecord(cleared) ? cleared[key] : undefined);
  return toRequest !== undefined && cleared !== undefined ? toRequest(cleared) : cleared;
}
