import { propertyPath } from "../../path";
import type { Failure } from "../../schema/failure";
import type { Differences, Field, FieldTable } from "../../schema/field";
import { brokenBy, isOpen } from "../../schema/rule";
import { covers, filtered, isEmpty, isRecord, type Properties } from "../../value";
import type { Kind } from "../kind";
import { declaration, wanted } from "../state/declared";

/** The service refuses a change beside what others have set and the program leaves to them. `otherwise` is what to do but declaring that. */
export function contradiction(
  { fields, rules = [] }: Kind,
  state: Properties,
  inputs: Properties,
  changes: Differences,
  otherwise = "run `pulumi refresh` if that is no longer so",
): Failure | undefined {
  for (const rule of rules) {
    const isToCheck = rule.ofObject && rule.needs.some((name) => changes.has(name));
    if (!isToCheck || isOpen(rule, inputs)) continue;
    const { object, others } = besideOthers(fields, rule.needs, state, inputs);
    const [failure] = others.length > 0 ? brokenBy(rule, object) : [];
    if (failure !== undefined)
      return {
        ...failure,
        reason: `${failure.reason}. The program does not declare ${others.join(", ")}, which somebody has set: declare it, or ${otherwise}`,
      };
  }
  return undefined;
}

/** The inputs with what others have set of these fields, and the paths of that. */
function besideOthers(
  fields: FieldTable,
  names: readonly string[],
  state: Properties,
  inputs: Properties,
): { object: Properties; others: string[] } {
  const declared = declaration(state);
  const object = { ...inputs };
  const others: string[] = [];
  for (const name of names) {
    const field = fields[name] as Field;
    const own = wanted(field, inputs[name], declared[name]);
    // What the program no longer declares, the update clears.
    if (own === undefined && declared[name] !== undefined) continue;
    const left = ofOthers(field, state[name], own);
    if (left === undefined) continue;
    object[name] = isRecord(left) ? { ...left, ...Object(own) } : left;
    const isPart = isRecord(left) && own !== undefined;
    const paths = isPart ? Object.keys(left).map((key) => [name, key]) : [[name]];
    others.push(...paths.map(propertyPath));
  }
  return { object, others };
}

/** Set by others, beside the program's own keys; undefined where nothing is. */
function ofOthers({ cleared, clearedKeys = {} }: Field, observed: unknown, own: unknown): unknown {
  if (own === undefined) return covers(observed, cleared) ? undefined : observed;
  if (!isRecord(observed) || !isRecord(own)) return undefined;
  const left = filtered(observed, (key, value) => !(key in own) && !covers(value, clearedKeys[key]));
  return isEmpty(left) ? undefined : left;
}
