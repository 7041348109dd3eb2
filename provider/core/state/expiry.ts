import { duration, time } from "../../schema/duration";
import type { Change, Differences, Field, FieldTable } from "../../schema/field";
import { isRecord, type Properties } from "../../value";
import type { Observed } from "../kind";
import { nameDigits } from "../mark/mark";

/**
 * The variable that holds the time limit of a pod, of the pods of a cluster, or of an endpoint. The service has no timer:
 * `podlumi sweep --expired` deletes what is over. (API: Mark of ownership)
 */
export const expiryVariable = "PODLUMI_EXPIRES";

/** The argument `expiresAfter` of a kind. */
export function expiryField(change: Change): Field {
  return { schema: time.optional(), change, cleared: undefined, notInBody: true };
}

/** The time limit of an object. */
interface Expiry {
  readonly expiresAfter: string;
  /** RFC 3339. */
  readonly expiresAt: string;
  /** False for an object that was renamed since the limit was set. */
  readonly hasItsName: boolean;
}

const text = /^(\S+Z) ([1-9]\d{0,4}[smhd]) ([0-9a-f]{7})$/;

/** Reads the time limit in the variables of an object; undefined without one. `name` is that of the object. */
export function expiryIn(env: unknown, name: unknown): Expiry | undefined {
  const [, expiresAt = "", expiresAfter = "", named] =
    text.exec(String(isRecord(env) && env[expiryVariable])) ?? [];
  if (Number.isNaN(Date.parse(expiresAt))) return undefined;
  return { expiresAfter, expiresAt, hasItsName: named === nameDigits(name) };
}

/** The outputs `expiresAfter` and `expiresAt`. A cluster has no variables of its own: its pods have them. */
export function expiryOutputs(observed: Observed): Properties {
  const { expiresAfter, expiresAt } = expiryIn(observed.env, observed.name) ?? observed;
  return { expiresAfter, expiresAt };
}

export function isExpired(observed: Observed, now: number): boolean {
  return Date.parse(String(expiryOutputs(observed).expiresAt)) <= now;
}

/** A request body with a new time limit, from now on, or without one. */
export function withExpiry(body: Properties, after: unknown, name: unknown, now: number): Properties {
  const { [expiryVariable]: earlier, ...env } = Object(body.env) as Properties;
  if (typeof after !== "string") return earlier === undefined ? body : { ...body, env };
  const until = `${new Date(now + duration(after)).toISOString()} ${after} ${nameDigits(name)}`;
  return { ...body, env: { ...env, [expiryVariable]: until } };
}

/** The limit begins again when the program changes or removes it, or starts the pod again. */
export function restartsLimit(changes: Differences, inputs: Properties): boolean {
  const starts = changes.has("desiredStatus") && inputs.desiredStatus === "RUNNING";
  return changes.has("expiresAfter") || (starts && inputs.expiresAfter !== undefined);
}

/** Sets the limit of an existing object again, where podlumi writes the variables anyway, or the program's own limit is over. */
export function renewsLimit(
  { expiresAfter }: FieldTable,
  observed: Observed,
  inputs: Properties,
  writesEnv: boolean,
  now: number,
): boolean {
  if (expiresAfter?.change !== "update" || expiryOutputs(observed).expiresAt === undefined) return false;
  return writesEnv || (inputs.expiresAfter !== undefined && isExpired(observed, now));
}

/** The end of a time limit that such an object keeps, where it is not the program's, or is over. */
export function keptLimit(fields: FieldTable, observed: Observed, inputs: Properties, now: number): unknown {
  if (!("expiresAfter" in fields)) return undefined;
  const isFine = inputs.expiresAfter !== undefined && !isExpired(observed, now);
  return isFine ? undefined : expiryOutputs(observed).expiresAt;
}
