import { remedies } from "./remedies";

/** The service's description of a failure. (API: Errors) */
export interface Problem {
  /** Such as `Bad Request`. */
  readonly title: string;
  /** The reason of this failure. */
  readonly detail: string;
  /** One line for each violation. */
  readonly errors: readonly string[];
  /** Code of a GraphQL error. `RUNPOD` means that a rule of the service refused the request. */
  readonly code?: string;
  /** True when the response is the service's own problem document, not a gateway's. */
  readonly known?: boolean;
}

/** The code of a failure, and the user's next step. */
export interface Advice {
  readonly code: string;
  /** A sentence; empty when the service's own message is enough. */
  readonly next: string;
}

export function advice(
  call: string,
  status: number,
  { code, known }: Pick<Problem, "code" | "known"> = {},
): Advice {
  // Only REST has a form of its own for a failure.
  const isForeign = !known && !call.startsWith("GraphQL");
  switch (status) {
    case 401:
      return { code: "PODLUMI-UNAUTHORIZED", next: `Check the API key: ${remedies().apiKey}.` };
    case 402:
      return { code: "PODLUMI-NO-BALANCE", next: remedies().noBalance };
    case 403:
      return { code: "PODLUMI-FORBIDDEN", next: isForeign ? turnedAway : lacksPermission(call) };
    case 404:
      return { code: "PODLUMI-NOT-FOUND", next: isForeign ? wrongAddress() : whatIsMissing(call) };
    case 410:
      return { code: "PODLUMI-RETIRED", next: "The service has retired this interface: update podlumi." };
    case 429:
      return { code: "PODLUMI-RATE-LIMIT", next: remedies().rateLimit };
    default:
      if (status >= 500)
        return { code: "PODLUMI-SERVICE-FAILED", next: "The service failed; run the command again later." };
      // A refusal by GraphQL has the status of a success, but a code.
      return {
        code: status < 300 && code === undefined ? "PODLUMI-UNREADABLE" : "PODLUMI-REFUSED",
        next: "",
      };
  }
}

/** The response comes from another address, or from a gateway. */
const wrongAddress = () =>
  `This is not the service's own response: check ${remedies().restAddress} which has /v2 at its end.`;

const turnedAway =
  "This is not the service's own response: a proxy or a firewall, here or before the service, turns the request away.";

function lacksPermission(call: string): string {
  const pools = mayNamePools(call) ? ", or whether the account may use these GPU pools" : "";
  return `The key is valid but may not do this: check its permissions${pools}.`;
}

/** Only an endpoint has pools. */
const mayNamePools = (call: string) => /^(POST|PATCH) \/serverless/.test(call);

function whatIsMissing(call: string): string {
  if (call.startsWith("PATCH")) return "It is gone: run `pulumi refresh`, then `pulumi up` creates it again.";
  return call.startsWith("POST")
    ? "Something that it refers to by its id does not exist, or belongs to another account."
    : "";
}
