import { declaration } from "../kind/declared";
import type { Differences } from "../kind/field";
import { unsettled } from "../kind/state";
import { isRecord, outline, type Properties } from "../value";

// An update without a clear answer may take effect late. The state keeps which fields it sent, and the next update sends them again.

/** What an update sends: what differs, and the fields of which an earlier one sent other values, and had no clear answer. */
export function withUnsettled(changes: Differences, state: Properties): Differences {
  return new Map([...unsettledFields(state).map((name) => [name, "update"] as const), ...changes]);
}

/** A state without these fields: nobody knows what the object has of them, so nothing of it counts as equal. */
export function withoutUnsettled(state: Properties): Properties {
  return { ...state, ...Object.fromEntries(unsettledFields(state).map((name) => [name, undefined])) };
}

/** What a state keeps of an update without a clear answer. The object may have what the program gave: it counts as declared. */
export function unsettledIn(state: Properties, open: readonly string[], news: Properties): Properties {
  if (open.length === 0) return {};
  const before = declaration(state);
  const given = open.filter((name) => news[name] !== undefined);
  const declared = given.map((name) => {
    const [was, is] = [before[name], outline(news[name])];
    return [name, isRecord(was) && isRecord(is) ? { ...is, ...was } : (was ?? is)];
  });
  const all = [...new Set([...unsettledFields(state), ...open])];
  return { [unsettled]: all, __declared: { ...before, ...Object.fromEntries(declared) } };
}

function unsettledFields(state: Properties): readonly string[] {
  return Array.isArray(state[unsettled]) ? state[unsettled] : [];
}
