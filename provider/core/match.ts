import type { Api } from "../client/api";
import type { Kind, Observed, ServiceObject } from "./definition";
import { costOf, type Differences, differences } from "./diff";
import { ownerOf } from "./mark";
import { carries, markOf } from "./ownership";
import { withoutPlatform } from "./platform";
import { stateOf } from "./state";
import { hasUnknown, isEmpty, type Properties } from "./value";

/** An object that a resource gets without making it, and what that comes to. */
export interface Match {
  readonly id: string;
  readonly observed: Observed;
  /** The object as the state will hold it when nothing of it is changed. */
  readonly state: Properties;
  readonly changes: Differences;
  /** What differs and cannot be changed. */
  readonly replaces: readonly string[];
  /** It carries the mark of another resource, which is replaced by one of its own. */
  readonly marked: boolean;
  /** `project/stack` of that resource, where the mark has room for it. */
  readonly markedBy?: string | undefined;
}

/**
 * Compares an object with what a program asks for. What the program leaves out is left as it is; `own`, of an object that
 * was made for this very resource, it is what an older program asked for, and is taken back.
 */
export async function matchOf(
  kind: Kind,
  api: Api,
  inputs: Properties,
  object: ServiceObject,
  own = false,
): Promise<Match> {
  const { id } = object;
  const state = stateOf(kind.fields, object, own ? inputsOfOlderProgram(kind, inputs, object) : inputs);
  const context = { state, inputs, api: () => api };
  const changes = new Map(await differences(kind.fields, state, inputs, context.api));
  // A login and a value are set without a restart, so what nobody can read is made sure of.
  for (const [name, field] of Object.entries(kind.fields)) {
    if (!field.sensitive || field.writeOnly !== true || field.notInBody || inputs[name] === undefined)
      continue;
    const cost = await costOf(field, undefined, inputs[name], context);
    if (cost !== "none") changes.set(name, cost);
  }
  // What a preview does not know yet, such as the id of a volume that is adopted too, may turn out to be the same.
  const replaces = [...changes]
    .filter(([name, change]) => change === "replace" && !hasUnknown(inputs[name]))
    .map(([name]) => name);
  const owner = ownerOf(inputs);
  const mark = markOf(kind, object);
  // In the first preview of a stack nobody knows its own mark yet: it is a new one.
  const marked = mark !== undefined && !(owner !== undefined && carries(kind, object, owner));
  return { id, observed: object, state, changes, replaces, marked, markedBy: mark?.readable?.stack };
}

/** The inputs with all that an object holds beside them and could only be asked for. */
function inputsOfOlderProgram(kind: Kind, inputs: Properties, object: ServiceObject): Properties {
  // From a template, it holds the template's settings.
  if (inputs.templateId !== undefined) return inputs;
  const asked = { ...inputs };
  for (const [name, field] of Object.entries(kind.fields)) {
    if (!("cleared" in field) || field.setting || field.writeOnly === true) continue;
    const held = field.shared ? { ...withoutPlatform(object[name]), ...Object(inputs[name]) } : object[name];
    if ((inputs[name] === undefined || field.shared) && !isEmpty(held)) asked[name] = held;
  }
  return asked;
}

/** What will change of an object, and what may, since a preview does not know it yet. */
export function describeChanges(inputs: Properties, { changes, marked, markedBy }: Match): string {
  const open = [...changes.keys()].filter((field) => hasUnknown(inputs[field]));
  const certain = [...changes.keys()].filter((field) => !open.includes(field));
  const mark = marked
    ? [
        `its mark of ownership, which was that of another resource${markedBy === undefined ? "" : ` of ${markedBy}`}`,
      ]
    : [];
  const all = [...certain, ...mark];
  const what = all.length === 0 ? "as it is" : `and changes ${all.join(", ")}`;
  const rest = open.length === 0 ? "" : `; ${open.join(", ")} cannot be compared before \`pulumi up\``;
  return `${what}${rest}`;
}
