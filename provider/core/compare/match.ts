import { isDeepStrictEqual } from "node:util";
import type { Api } from "../../client/api";
import { type Change, type Context, type Differences, type Field, isAlwaysSecret } from "../../schema/field";
import { covers, hasUnknown, isEmpty, isRecord, keyed, type Properties, withUnknown } from "../../value";
import type { Kind, ServiceObject } from "../kind";
import { isMarkedByName } from "../kind/naming";
import { markOf } from "../mark/carried";
import { isMarkOf, ownerOf } from "../mark/mark";
import { keptLimit, renewsLimit } from "../state/expiry";
import { withoutPlatform } from "../state/platform";
import { stateOf } from "../state/state";
import { changeOf, differences, differs, replacing } from "./diff";

/** An existing object that a resource takes over, and how it differs from the inputs. */
export interface Match {
  readonly id: string;
  readonly observed: ServiceObject;
  /** The state of the object as it is now. */
  readonly state: Properties;
  readonly changes: Differences;
  /** The fields that differ and cannot be changed in place. */
  readonly replaces: readonly string[];
  /** Values of arguments that the service returns elsewhere. */
  readonly written: Properties;
  /** The object carries the mark of another resource, and the resource's own takes the place of that one. */
  readonly rewritesMark: boolean;
  /** The end of a time limit that the object keeps, and that is not the program's or is over. */
  readonly limit?: unknown;
  /** `project/stack` of that resource, where the mark has room for it. */
  readonly markedBy?: string | undefined;
}

/**
 * Compares an object with the inputs. `madeForIt`: it carries this resource's mark, so settings that the inputs lack are of an older program, and are
 * cleared. Otherwise they stay.
 */
export async function matchOf(
  kind: Kind,
  api: Api,
  inputs: Properties,
  object: ServiceObject,
  madeForIt = false,
): Promise<Match> {
  const { id } = object;
  const state = stateOf(kind.fields, object, madeForIt ? inputsOfOlderProgram(kind, inputs, object) : inputs);
  const context = { state, inputs, api: () => api };
  const written = (await kind.outputs.written?.(object, api, id)) ?? {};
  const changes = new Map(await differences(kind.fields, context));
  for (const [name, field] of Object.entries(kind.fields)) {
    if (inputs[name] === undefined) continue;
    const values = { input: inputs[name], shown: written[name], held: field.held?.(object) };
    const change = await unseenChange(field, values, context, madeForIt);
    if (change !== "none") changes.set(name, change);
  }
  const replaces: string[] = [];
  for (const name of replacing(changes)) if (!(await mayStay(kind, name, context))) replaces.push(name);
  const owner = ownerOf(inputs);
  const mark = markOf(kind, object);
  // In the first preview of a stack, the owner is unknown. No object can carry its mark yet, so any mark is another's.
  const foreign = mark !== undefined && !(owner !== undefined && isMarkOf(mark, owner));
  const rewritesMark = foreign && (await canRewrite(kind, api));
  const markedBy = mark?.readable?.stack;
  const writesEnv = changes.has("env") || (rewritesMark && kind.naming?.mark === "env");
  if (renewsLimit(kind.fields, object, inputs, writesEnv, api.now())) changes.set("expiresAfter", "update");
  const limit = changes.has("expiresAfter") ? undefined : keptLimit(kind.fields, object, inputs, api.now());
  return { id, observed: object, state, changes, replaces, written, rewritesMark, limit, markedBy };
}

/** The change of a field whose value the state has as the program says, since no response has it under its name. */
async function unseenChange(
  field: Field,
  { input, shown, held }: Readonly<Record<"input" | "shown" | "held", unknown>>,
  context: Context,
  madeForIt: boolean,
): Promise<Change> {
  if (isAlwaysSecret(field)) {
    const change = await changeOf(field, undefined, input, context);
    // To set it again restarts nothing. An adopted object is assumed to have it where only a replacement could set it.
    return change === "replace" && !madeForIt ? "none" : change;
  }
  // The object has something else in its place.
  if (!isEmpty(held))
    return (await changeOf(field, undefined, input, context)) === "replace" ? "replace" : "none";
  // It is shown elsewhere, as that of a cluster in its pods.
  const isUnseen = field.writeOnly === true && field.held === undefined;
  if (!isUnseen || isEmpty(shown) || hasUnknown(input) || !differs(field, shown, input, undefined))
    return "none";
  return changeOf(field, shown, input, context);
}

/** An unknown value, such as the id of a volume that is adopted too, may turn out as the object has it, or change in place. */
async function mayStay({ fields }: Kind, name: string, context: Context): Promise<boolean> {
  const { state, inputs } = context;
  const field = fields[name];
  if (field === undefined || !hasUnknown(inputs[name])) return false;
  const best = withUnknown(inputs[name], state[name]);
  return covers(state[name], best) || (await changeOf(field, state[name], best, context)) !== "replace";
}

/** A mark in the name can be rewritten where the service renames objects. */
async function canRewrite(kind: Kind, api: Api): Promise<boolean> {
  if (isMarkedByName(kind)) return kind.fields.name?.change === "update";
  return (await kind.naming?.canMark?.(api)) ?? true;
}

/** The inputs, and everything else that the object holds and only a program can have asked for. */
function inputsOfOlderProgram({ fields }: Kind, inputs: Properties, object: ServiceObject): Properties {
  // The object holds settings of its template, which the program did not ask for itself.
  const givers = Object.entries(fields).filter(([name]) => inputs[name] !== undefined);
  const given = new Set(givers.flatMap(([, { givesSettings = [] }]) => givesSettings));
  const asked = { ...inputs };
  for (const [name, field] of Object.entries(fields)) {
    if (given.has(name) || field.setting || field.writeOnly === true) continue;
    const keys = Object.keys(field.clearedKeys ?? {}).filter((key) => !given.has(`${name}.${key}`));
    const all = withHeld(field, keys, inputs[name], object[name]);
    if (!isEmpty(all)) asked[name] = all;
  }
  return asked;
}

/** An input, and what else the object holds of it that an update can clear: of an object, these keys. */
function withHeld(field: Field, keys: readonly string[], input: unknown, held: unknown): unknown {
  if (field.shared) return { ...withoutPlatform(held), ...Object(input) };
  if (input === undefined) return "cleared" in field ? held : undefined;
  if (!isRecord(input) || !isRecord(held)) return input;
  return { ...keyed(keys, (key) => held[key]), ...input };
}

/** The mark of a resource, in a list of what changes. */
export const ownMark = "its mark of ownership";

/** The changes in words, with the values that `shows` allows in a message, and what a preview cannot compare yet. */
export function describeChanges(
  inputs: Properties,
  { state, changes, rewritesMark, markedBy, limit }: Match,
  shows: (name: string) => boolean = () => false,
): string {
  const unknown = [...changes.keys()].filter((field) => hasUnknown(inputs[field]));
  const certain = [...changes.keys()].filter((field) => !unknown.includes(field));
  const mark = rewritesMark
    ? [`${ownMark}, which was that of another resource${markedBy === undefined ? "" : ` of ${markedBy}`}`]
    : [];
  const described = certain.map((name) =>
    shows(name) ? `${name}${fromTo(state[name], inputs[name])}` : name,
  );
  const all = [...described, ...mark];
  const what = all.length === 0 ? "as it is" : `and changes ${all.join(", ")}`;
  const rest = unknown.length === 0 ? "" : `; ${unknown.join(", ")} cannot be compared before \`pulumi up\``;
  const end =
    limit === undefined
      ? ""
      : ` (its time limit stays: it ends at ${String(limit)}, and \`npx podlumi sweep --expired\` deletes it then)`;
  return `${what}${rest}${end}`;
}

/** The engine shows an adoption as a create, with the program's values alone. A time limit that begins again may have the same value. */
function fromTo(from: unknown, to: unknown): string {
  const isTold = from !== undefined && to !== undefined && !isDeepStrictEqual(from, to);
  return isTold ? ` from ${JSON.stringify(from)} to ${JSON.stringify(to)}` : "";
}
