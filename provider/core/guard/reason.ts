import { at, type Path, propertyPath } from "../../path";
import { covers, isBlank, isRecord, type Properties } from "../../value";
import type { Edit } from "../call";
import { isHidden } from "../state/secrets";
import { mayReplace } from "../state/state";

/** Why a property causes a replacement. */
export interface Cause {
  readonly property: string;
  /** `service` is drift. `either` when nothing tells, as after an import. `unknown` while the value is. */
  readonly by: "program" | "service" | "either" | "unknown";
  /** The program changed the property as well. */
  readonly edited?: boolean;
}

/** A part of a property, as it is and as the program says. */
interface Part {
  readonly path: Path;
  readonly is: unknown;
  readonly says: unknown;
}

interface Reason {
  readonly told: string;
  readonly keep?: string | undefined;
}

/** Names the deepest paths that differ, and what to write to keep the object. `asked` has the program's last inputs. */
export function reasonOf(
  edit: Edit,
  { property, by, edited }: Cause,
  asked: Properties | undefined,
  isAlone: boolean,
): Reason {
  const { kind, state, inputs } = edit;
  if (by === "unknown") return { told: `${property}: its value is not known yet` };
  // Do not print values of other fields: they can be secrets of the program.
  const isShown = property === "name" || mayReplace(kind.fields[property]);
  if (!isShown || isHidden(edit, property)) {
    // Its value stands for the settings of a template, and nobody writes it by hand.
    const keep = property === "templateRevision" && isAlone ? "take it out of the program" : undefined;
    return by === "program"
      ? { told: `${property}: the program changes it`, keep }
      : { told: `${property}: it is not what the program says` };
  }
  const whole = { path: [property], is: state[property], says: inputs[property] };
  const found = partsThatDiffer(whole, asked ?? {});
  const parts = found.length === 0 ? [whole] : found;
  const told = parts.map((part) => `${propertyPath(part.path)}: ${changeIn(part, by, edited)}`).join("; ");
  const keep = parts.map((part) => keeping(part, parts.length > 1)).join(" and ");
  return { told, keep };
}

/** The deepest parts that differ. What the program leaves out counts where it asked for that before, or where nothing else differs. */
function partsThatDiffer({ path, is, says }: Part, asked: Properties): Part[] {
  const [has, wants] = [entriesOf(is), entriesOf(says)];
  if (has === undefined || wants === undefined || (Array.isArray(is) && has.length !== wants.length))
    return covers(is, says) ? [] : [{ path, is, says }];
  const keys = [...new Set([...has, ...wants].map(([key]) => key))];
  const within = (key: string | number) => ({
    path: [...path, key],
    is: at(is, key),
    says: at(says, key),
  });
  const all = keys.flatMap((key) => partsThatDiffer(within(key), asked));
  const own = all.filter((part) => part.says !== undefined || at(asked, ...part.path) !== undefined);
  return own.length > 0 ? own : all;
}

/** Undefined for anything but an object or a list of objects. */
function entriesOf(value: unknown): [string | number, unknown][] | undefined {
  if (Array.isArray(value)) return value.some(isRecord) ? [...value.entries()] : undefined;
  return isRecord(value) ? Object.entries(value) : undefined;
}

function changeIn({ is, says }: Part, by: Cause["by"], edited = false): string {
  if (by === "program") {
    if (says === undefined) return "the program takes it out";
    const from = isBlank(is) ? "sets it" : `changes it from ${shown(is)}`;
    return `the program ${from} to ${shown(says)}`;
  }
  const still = by === "service" && !edited ? "still " : "";
  const program = says === undefined ? `${still}leaves it out` : `${still}says ${shown(says)}`;
  const now = by === "service" ? "by now it is" : "it is";
  return `the program ${program}, and ${now} ${isBlank(is) ? "not set" : shown(is)}`;
}

function keeping({ path, is }: Part, isNamed: boolean): string {
  const where = propertyPath(path);
  if (isBlank(is)) return `take ${isNamed ? where : "it"} out`;
  return `write ${shown(is)}${isNamed ? ` for ${where}` : ""}`;
}

const shown = (value: unknown) => JSON.stringify(value);
