import type { LoggedRequest } from "../emulator";
import type { Match } from "./fault";

const BASE = { rest: "/v2", graphql: "/graphql", queue: "/queue" };

export function matches(match: Match, request: LoggedRequest): boolean {
  return (
    (match.interface === undefined || match.interface === request.interface) &&
    (match.method === undefined || match.method.toUpperCase() === request.method) &&
    (match.operation === undefined || match.operation === request.operation) &&
    (match.path === undefined || sameSegments(match.path, pathBelow(request)))
  );
}

function pathBelow({ path, interface: name }: LoggedRequest): string {
  const [address = ""] = path.split("?");
  return address.startsWith(BASE[name]) ? address.slice(BASE[name].length) || "/" : address;
}

function sameSegments(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  return (
    wanted.length === given.length &&
    wanted.every((segment, index) => segment === "*" || segment === given[index])
  );
}
