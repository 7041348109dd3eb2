import type { Api } from "../../client/api";
import { longestLag } from "../../client/policy";
import { isRecord, type Properties } from "../../value";
import type { Existing } from "../call";
import type { Observed, Reading } from "../kind";
import { poll } from "../poll";
import { unfinishedIn } from "./unfinished";

/** When podlumi created an object, and when it last changed it, in milliseconds since the epoch; undefined where the state does not tell. */
function timeIn({ __at }: Properties, what: "created" | "changed"): number | undefined {
  const time = isRecord(__at) ? __at[what] : undefined;
  return typeof time === "string" ? Date.parse(time) : undefined;
}

/** The service may still show the object as before podlumi's last change of it. */
export function mayLag(api: Api, state: Properties): boolean {
  const unclear = Date.parse(unfinishedIn(state).unclear?.at ?? "") || 0;
  return api.now() - Math.max(timeIn(state, "changed") ?? 0, unclear) < longestLag;
}

/** Looks until the service has to show what podlumi created or changed a moment ago; undefined at once for what is older. */
export async function untilShown<T>(
  { api, state }: Existing,
  what: "created" | "changed",
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const time = Math.min((timeIn(state, what) ?? 0) + longestLag - api().now(), longestLag);
  return time > 0 ? poll(api(), time, () => `what was ${what} a moment ago to appear`, look) : undefined;
}

/** The object, also where the service shows it only after a while; undefined where there is none. */
export async function readShown(existing: Existing, reading?: Reading): Promise<Observed | undefined> {
  const { kind, id, state, api } = existing;
  return (await kind.read(api(), id, state, reading)) ?? (await onceShown(existing));
}

/** An object that an earlier run created a moment ago may not show yet. Looks again until it has to show. */
export function onceShown(existing: Existing): Promise<Observed | undefined> {
  const { kind, id, state, api } = existing;
  return untilShown(existing, "created", () => kind.read(api(), id, state));
}
