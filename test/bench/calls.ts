import { type FieldNode, Kind, type OperationDefinitionNode, parse } from "graphql";
import type { LoggedRequest } from "../../sdk/emulator/service";

/** The purpose of a request. A probe finds out what the service supports, without any effect. */
export type Role = "list" | "read" | "change" | "probe";

/** A request that the emulator received, without its body. */
export interface Call {
  /** When it arrived, in milliseconds since 1970. */
  at: number;
  /** When it was answered. */
  ended: number;
  role: Role;
  /** Method and path with `*` for ids, or the GraphQL field. */
  name: string;
  /** REST and GraphQL have a quota each. */
  interface: LoggedRequest["interface"];
  status: number;
}

export function callOf(request: LoggedRequest): Call {
  const { at, status, duration = 0 } = request;
  const what = request.interface === "rest" ? restCall(request) : graphqlCall(request);
  return { at, ended: at + duration, status, interface: request.interface, ...what };
}

// Splits paths like `/pods/*/action` after the collection. Some collections have two segments.
function restCall({ method, path, status }: LoggedRequest): Pick<Call, "role" | "name"> {
  const [, collection = "", rest = ""] =
    /^\/v2(\/account\/[^/?]*|\/billing\/[^/?]*|\/catalog\/[^/?]*|\/registries\/delegations|\/[^/?]*)([^?]*)/.exec(
      path,
    ) ?? [];
  const name = `${method} ${collection}${rest.replace(/^\/[^/]+/, "/*")}`;
  if (method !== "GET") return { role: "change", name };
  if (rest !== "") return { role: "read", name };
  return status === 404 ? { role: "probe", name: `probe ${collection}` } : { role: "list", name };
}

function graphqlCall({ body }: LoggedRequest): Pick<Call, "role" | "name"> {
  const { definitions } = parse((body as { query: string }).query);
  const operation = definitions[0] as OperationDefinitionNode;
  const field = first(operation);
  if (field.directives?.some(({ name }) => name.value === "skip")) {
    return { role: "probe", name: `probe ${field.name.value}` };
  }
  if (operation.operation === "mutation") return { role: "change", name: `mutation ${field.name.value}` };
  // All queries of podlumi are lists in `myself`: secrets, and the readmes of templates.
  if (field.name.value === "myself") return { role: "list", name: `query myself.${first(field).name.value}` };
  return { role: "read", name: `query ${field.name.value}` };
}

function first({ selectionSet }: OperationDefinitionNode | FieldNode): FieldNode {
  const field = selectionSet?.selections.find((one) => one.kind === Kind.FIELD);
  if (field === undefined) throw new Error("a request of GraphQL without a field");
  return field;
}

/** Milliseconds by which the emulator's times of two requests can be off: it rounds them. */
const rounding = 2;

/**
 * The largest number of requests that follow one another: none of them began before the one before it was answered. With
 * latency, so many round trips are the most that the command can have waited for.
 */
export function roundTrips(calls: readonly Pick<Call, "at" | "ended">[]): number {
  let free = 0;
  let trips = 0;
  // The request that ends first leaves the most room for others.
  for (const { at, ended } of [...calls].sort((a, b) => a.ended - b.ended)) {
    if (at + rounding < free) continue;
    trips++;
    free = ended;
  }
  return trips;
}

/** The number of occurrences of each name, largest first. */
function count(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}

/** The number of calls with these roles, by name. */
export function countOf(calls: readonly Call[], ...roles: Role[]): Record<string, number> {
  return count(calls.filter(({ role }) => roles.includes(role)).map(({ name }) => name));
}
