import { ExpectedError } from "../client/errors";
import { confirmDataLoss } from "../config";
import { warn } from "../progress";
import type { Run } from "../run";
import type { Kind } from "./definition";
import { costOf } from "./diff";
import { doing, titled } from "./telling";
import { hasUnknown, isRecord, type Properties } from "./value";

/** Why something is to be replaced. */
interface Cause {
  readonly property: string;
  /** The program's own change, one of the service's side, or a value that is not known yet. */
  readonly by: "program" | "service" | "unknown";
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
  replaces: readonly string[],
): Promise<void> {
  if (kind.lost === undefined || replaces.length === 0) return Promise.resolve();
  const what = `will not replace ${titled(kind, news)} (${id})`;
  return doing(what, kind, news, () => guarded(kind, run, id, olds, news, replaces));
}

async function guarded(
  kind: Kind,
  run: Run,
  id: string,
  olds: Properties,
  news: Properties,
  replaces: readonly string[],
): Promise<void> {
  const { checked, inputs } = run.of(news.__urn);
  const context = { asked: isRecord(olds.__asked) ? olds.__asked : (inputs ?? {}), olds, run };
  const causes = await Promise.all(replaces.map((property) => causeOf(kind, property, news, context)));
  // A refresh compares, too: it checks no inputs, and replaces nothing.
  if (!checked && causes.every(({ by }) => by !== "unknown")) return;
  const unasked = causes.some(({ by }) => by === "service");
  const lost = kind.lost?.(olds, unasked);
  if (lost === undefined) return;
  const said = `a change of ${replaces.join(", ")} replaces the ${kind.noun} ${id}, and ${lost} is lost with it unless retainOnDelete keeps it`;
  if (run.confirmed(id) || (run.confirmed("all") && !unasked)) return warn(news.__urn, said);
  const ask = `\`pulumi config set ${confirmDataLoss} ${id}\``;
  // Before something else is deleted, the engine asks what would have to be replaced with it, and then does so.
  if (checked && causes.every(({ by }) => by === "unknown")) {
    const open = `${replaces.join(", ")}: not known before \`pulumi up\`, which fails if it would replace the ${kind.noun} ${id}, since`;
    return warn(news.__urn, `${open} ${lost} would be lost with it. To allow that, ${ask}`);
  }
  const why = causes.map((cause) => told(cause, olds, news)).join("; ");
  throw new ExpectedError(`${lost} would be lost with it. ${why}. To have it replaced all the same, ${ask}`);
}

async function causeOf(
  kind: Kind,
  property: string,
  news: Properties,
  { asked, olds, run }: { asked: Properties; olds: Properties; run: Run },
): Promise<Cause> {
  if (hasUnknown(news[property])) return { property, by: "unknown" };
  const field = kind.fields[property];
  if (field === undefined) return { property, by: "program" };
  const from = field.writeOnly === true ? olds[property] : asked[property];
  const state = { ...olds, ...asked };
  const cost = await costOf(field, from, news[property], { state, inputs: news, api: () => run.api() });
  const changed = JSON.stringify(from) !== JSON.stringify(news[property]);
  return { property, by: changed && cost === "replace" ? "program" : "service" };
}

function told({ property, by }: Cause, olds: Properties, news: Properties): string {
  if (by !== "service") return `${property}: this change takes another object`;
  const [is, says] = [olds[property], news[property]].map((value) => JSON.stringify(value));
  return `${property}: the program says ${says}, as before, and by now it is ${is}. Write ${is} to keep it`;
}
