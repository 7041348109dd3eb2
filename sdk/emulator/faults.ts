/** Selects requests. What is left out matches anything. */
export interface EmulatorMatch {
  /** The API to which they go. */
  interface?: "rest" | "graphql" | "queue";
  /** Their method, such as `POST`. */
  method?: string;
  /** Path below the address of the interface, such as `/pods`. `*` stands for one segment. */
  path?: string;
  /** Field of a GraphQL request. */
  operation?: string;
}

/** One thing that goes wrong with the requests that match. */
export interface EmulatorFault {
  match: EmulatorMatch;
  /** `before`: the service does nothing. `after`: it has acted, and the response is lost or corrupted. */
  when: "before" | "after";
  /** The failure. */
  what: EmulatorFailure;
  /** How many times it strikes. Default 1. With 0, until it is removed. */
  times?: number;
  /** How many matching requests pass first. Default 0. */
  skip?: number;
  /** Probability, from 0 to 1, that it strikes a matching request. Default 1. */
  probability?: number;
}

/** A failure of the service or of the connection. */
export type EmulatorFailure =
  /** An error of the service. */
  | { status: number; detail?: string }
  /** The connection is cut. */
  | { reset: true }
  /** The service acts (`before`) or answers (`after`) so many milliseconds later. */
  | { delay: number }
  /** There is never a response. */
  | { hang: true }
  /** The body is not JSON, although its content type says so. */
  | { malformed: true }
  /** The connection ends in the middle of the body. */
  | { truncated: true }
  /** The response is 429. `retryAfter` is in seconds. */
  | { rateLimited: { retryAfter: number } }
  /** The service's own refusals. */
  | { capacity: true }
  | { inUse: true }
  | { nameTaken: true }
  /** These properties of each object are null. */
  | { blank: string[] }
  /** An error at once, 504 by default, and the effect so many milliseconds later. Needs `when: "before"`. */
  | { later: number; status?: number; detail?: string }
  | { later: number; reset: true }
  /** Reads show the account of so many milliseconds ago. Needs `when: "before"`. */
  | { lag: number }
  /** Any other response. It has a body, which is sent as JSON, or a text, or neither. `type` is the content type. */
  | { answer: { status: number; body?: unknown; text?: string; type?: string } };
