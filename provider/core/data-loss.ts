import { ExpectedError } from "../client/errors";
import { confirmDataLoss } from "../config";
import { warn } from "../engine/log";
import type { Kind } from "./definition";
import { costOf } from "./diff";
import type { Run } from "./run";
import { isCostly } from "./state";
import { attempt, title } from "./telling";
import { hasUnknown, isRecord, type Properties } from "./value";

/** Why something is to be replaced. */
interface Cause {
  readonly property: string;
  /**
   * The program's own change, one of the service's side, one of the two, since 0.1.0 noted nothing of what the program said,
   * or a value that is not known yet.
   */
  readonly by: "program" | "service" | "either" | "unknown";
  /** The program has changed it, too. */
  readonly edited?: boolean;
}

/** A replacement that podlumi asks for, or that the engine decides on by itself: `replaceOnChanges` and the like. */
export interface Replacement {
  readonly by: "podlumi" | "engine";
  /** What differs; of what podlumi asks for, what costs the object. */
  readonly changed: readonly string[];
}

/**
 * Stands before every replacement that loses data: it takes the user's word, by the id of the object, or by `all` for
 * what the program itself changes. What a preview cannot know yet it only warns of; the up then knows.
 */
export function guardData(
  kind: Kind,
  run: Run,
  id: string,
  olds: Properties,
  news: Properties,
  replacement: Replacement,
): Promise<void> {
  const { dataHeld } = kind;
  if (dataHeld === undefined) return Promise.resolve();
  const what = `will not replace ${title(kind, news)} (${id})`;
  return attempt(what, kind, news, () => guarded({ ...kind, dataHeld }, run, id, olds, news, replacement));
}

async function guarded(
  kind: Kind & Pick<Required<Kind>, "dataHeld">,
  run: Run,
  id: string,
  olds: Properties,
  news: Properties,
  { changed, by }: Replacement,
): Promise<void> {
  const { checked } = run.notes(news.__urn);
  const context = { asked: isRecord(olds.__asked) ? olds.__asked : undefined, olds, run, by };
  const causes = await Promise.all(changed.map((property) => causeOf(kind, property, news, context)));
  // A refresh compares, too: it checks no inputs, and replaces nothing.
  if (!checked && causes.every(({ by }) => by !== "unknown")) return;
  const unasked = causes.some(({ by }) => by === "service" || by === "either");
  // One odd answer can hide what an object holds: what the program says of it counts as well.
  const lost = kind.dataHeld(olds) ?? kind.dataHeld(context.asked ?? {}) ?? kind.dataHeld(news);
  if (lost === undefined) return;
  const said = `${changed.length === 0 ? "the engine" : `a change of ${changed.join(", ")}`} replaces the ${kind.noun} ${id}, and ${lost} is lost with it unless retainOnDelete keeps it`;
  if (run.confirmed(id) || (run.confirmed("all") && !unasked))
    return warn(news.__urn, said, "PODLUMI-DATA-LOSS");
  const ask = `\`pulumi config set ${confirmDataLoss} ${id}\``;
  // Before something else is deleted, the engine asks what would have to be replaced with it, and then does so.
  if (checked && causes.every(({ by }) => by === "unknown")) {
    const open = `${changed.join(", ")}: not known before \`pulumi up\`, which fails if it would replace the ${kind.noun} ${id}, since`;
    return warn(
      news.__urn,
      `${open} ${lost} would be lost with it. To allow that, run ${ask}`,
      "PODLUMI-DATA-LOSS",
    );
  }
  const why = causes.map((cause) => `${reasonOf(kind, cause, by, olds, news)}. `).join("");
  throw new ExpectedError(
    `${lost} would be lost with it. ${why}To have it replaced all the same, run ${ask}`,
    "PODLUMI-DATA-LOSS",
  );
}

async function causeOf(
  kind: Kind,
  property: string,
  news: Properties,
  { asked, olds, run, by }: { asked?: Properties; olds: Properties; run: Run; by: Replacement["by"] },
): Promise<Cause> {
  if (hasUnknown(news[property])) return { property, by: "unknown" };
  const field = kind.fields[property];
  if (field === undefined) return { property, by: "program" };
  if (asked === undefined) return { property, by: "either" };
  const from = field.writeOnly === true ? olds[property] : asked[property];
  const changed = JSON.stringify(from) !== JSON.stringify(news[property]);
  if (by === "engine") return { property, by: changed ? "program" : "service" };
  const state = { ...olds, ...asked };
  const cost = await costOf(field, from, news[property], { state, inputs: news, api: () => run.api() });
  return { property, by: changed && cost === "replace" ? "program" : "service", edited: changed };
}

function reasonOf(
  { fields }: Kind,
  { property, by, edited }: Cause,
  decided: Replacement["by"],
  olds: Properties,
  news: Properties,
): string {
  const takes =
    decided === "engine" ? "an option of the resource replaces it for that" : "which takes another object";
  if (by === "unknown") return `${property}: its value is not known yet`;
  // Other values can be secrets of the program.
  if (property !== "name" && !isCostly(fields[property])) {
    return by === "program"
      ? `${property}: the program changes it, ${takes}`
      : `${property}: it is not what the program says`;
  }
  const [is, says] = [olds[property], news[property]].map((value) => JSON.stringify(value));
  switch (by) {
    case "service":
      return `${property}: the program says ${says}, ${edited ? "" : "as before, "}and by now it is ${is}. Write ${is} to keep it`;
    case "either":
      return `${property}: the program says ${says}, and it is ${is}: write ${is} to keep it`;
    default:
      return `${property}: the program changes ${is} to ${says}, ${takes}. Write ${is} to keep this one`;
  }
}
