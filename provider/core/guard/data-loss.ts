import { ExpectedError } from "../../client/errors";
import { warn } from "../../engine/log";
import { changeOf } from "../compare/diff";
import { isDiscreet } from "../kind/field";
import type { Edit } from "../resource";
import { explaining, title } from "../telling";
import { hasUnknown, isRecord, type Properties } from "../value";
import { type Cause, reasonOf } from "./reason";

/** A replacement that podlumi asks for, or that the engine decides on, for example because of `replaceOnChanges`. */
export interface Replacement {
  readonly by: "podlumi" | "engine";
  /** What differs. When podlumi asks, only the properties that need the replacement. */
  readonly changed: readonly string[];
  /** Why the engine replaces the object, where nothing differs. Default: an option of the resource. */
  readonly why?: string;
  /** The engine deletes the object before it knows the values that are unknown now. */
  readonly early?: boolean;
  /** What the engine asks for. Default: the replacement. A deletion may be a part of one. */
  readonly verb?: "delete";
}

/**
 * Runs before every replacement, and throws when it would lose data without confirmation. The user confirms with the id
 * of the object. `all` is enough too, unless the change comes, or may come, from the service. While values are unknown,
 * a preview only warns; `pulumi up` then decides.
 */
export async function guardData(edit: Edit, replacement: Replacement): Promise<void> {
  if (edit.kind.dataHeld === undefined) return;
  await explainingReplacement(edit, () => failUnlessConfirmed(edit, replacement), replacement.verb);
}

/** Acts before a replacement or a deletion. The message of a failure says that there will be none. */
export function explainingReplacement(
  { kind, id, state, inputs }: Edit,
  act: () => Promise<void>,
  verb: "replace" | "delete" = "replace",
): Promise<void> {
  const what = `will not ${verb} ${title(kind, { name: state.name ?? inputs.name })} (${id})`;
  return explaining(what, kind, inputs, act);
}

async function failUnlessConfirmed(
  edit: Edit,
  { changed, by, why: because = "An option of the resource replaces it", early = false, verb }: Replacement,
): Promise<void> {
  const { kind, run, id, state, inputs } = edit;
  const { checked } = run.notes(inputs.__urn);
  const asked = isRecord(state.__asked) ? state.__asked : undefined;
  const causes = await Promise.all(changed.map((property) => causeOf(edit, property, by, asked)));
  // A refresh calls diff too, but without a check, and it replaces nothing.
  if (by === "podlumi" && !checked && causes.every(({ by }) => by !== "unknown")) return;
  const unasked = causes.some(({ by }) => by === "service" || by === "either");
  // One odd response can hide what the object holds, so what the program asked for counts too.
  const shown = kind.dataHeld?.(state) ?? kind.dataHeld?.(asked ?? {});
  const lost = shown ?? (await lostByLook(edit));
  if (lost === undefined) return;
  // What podlumi is to delete, nothing keeps.
  const isKept = verb === undefined ? await run.states.isRetained(id) : false;
  if (isKept) return;
  const who = changed.length === 0 ? "the engine" : `a change of ${changed.join(", ")}`;
  const said =
    verb === undefined
      ? `${who} replaces the ${kind.noun} ${id}, and ${lost} is lost with it${isKept === false ? notKept : unlessKept}`
      : `the engine deletes the ${kind.noun} ${id}, and ${lost} is lost with it`;
  if (run.confirmed(id) || (run.confirmed("all") && !unasked))
    return warn(inputs.__urn, said, "PODLUMI-DATA-LOSS");
  // The engine also calls diff without a check, before it deletes an object, to learn which dependents it must replace. It
  // replaces those at once, so a warning would come too late.
  if (checked && !early && causes.length > 0 && causes.every(({ by }) => by === "unknown")) {
    const unknown = `${changed.join(", ")}: not known before \`pulumi up\`, which fails if it would replace the ${kind.noun} ${id}, since`;
    return warn(
      inputs.__urn,
      `${unknown} ${lost} would be lost with it. To allow that, ${run.confirming(id)}`,
      "PODLUMI-DATA-LOSS",
    );
  }
  const reasons = causes.map((cause) => reasonOf(edit, cause, by, asked, causes.length === 1));
  const why = (causes.length > 0 ? reasons : [because]).map((reason) => `${reason}. `).join("");
  throw new ExpectedError(
    `${lost} would be lost with it. ${why}To ${verb ?? "replace"} it anyway, ${run.confirming(id)}`,
    "PODLUMI-DATA-LOSS",
  );
}

/** The engine goes by the state, also where the program has the option now. */
const notKept = ": the state has no retainOnDelete for it";
const unlessKept = ", unless the state has retainOnDelete for it";

/**
 * What the object holds although its state does not show it, where the program now asks for such storage. It may ask for it first, and
 * the state may not tell what it asked for before. So the service tells. Without a response, the object may hold what the program asks for.
 */
async function lostByLook({ kind, run, id, state, inputs }: Edit): Promise<string | undefined> {
  const asked = kind.dataHeld?.(inputs);
  if (asked === undefined) return undefined;
  const look = async () => kind.dataHeld?.((await kind.read(run.api(), id, state)) ?? {});
  return run.look(kind, look, asked);
}

async function causeOf(
  { kind, run, state, inputs }: Edit,
  property: string,
  by: Replacement["by"],
  asked: Properties | undefined,
): Promise<Cause> {
  if (hasUnknown(inputs[property])) return { property, by: "unknown" };
  const field = kind.fields[property];
  if (field === undefined) return { property, by: "program" };
  if (asked === undefined) return { property, by: "either" };
  // What the program declares for the first time changes what the object has, as from its template.
  const isFirst = asked[property] === undefined && inputs[property] !== undefined && !isDiscreet(field);
  const from = field.writeOnly === true || isFirst ? state[property] : asked[property];
  const changed = JSON.stringify(from) !== JSON.stringify(inputs[property]);
  if (by === "engine") return { property, by: changed ? "program" : "service" };
  const before = { ...state, ...asked };
  const context = { state: before, inputs, api: () => run.api() };
  const change = await changeOf(field, from, inputs[property], context);
  return { property, by: changed && change === "replace" ? "program" : "service", edited: changed };
}
