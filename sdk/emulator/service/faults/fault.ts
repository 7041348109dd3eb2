import { z } from "zod";

/** Selects requests. A property that is left out matches anything. */
export interface Match {
  interface?: "rest" | "graphql" | "queue";
  method?: string;
  /** Path below the interface's address, without the query string. `*` matches one segment. */
  path?: string;
  /** Field of the GraphQL request. */
  operation?: string;
}

/** Before: the service does not act. After: the service has acted, but its answer is lost or changed. */
export type When = "before" | "after";

/** What goes wrong. */
export type What =
  /** An error answer, in the interface's own form. */
  | { status: number; detail?: string }
  /** The connection is cut. */
  | { reset: true }
  /** Milliseconds by which the service acts (before) or answers (after) later. */
  | { delay: number }
  /** There is never an answer. It ends when the client gives up or the emulator closes. */
  | { hang: true }
  /** The body is not JSON, although its content type says so. */
  | { malformed: true }
  /** The connection ends in the middle of the body. */
  | { truncated: true }
  /** An answer of 429. `retryAfter` is in seconds. */
  | { rateLimited: { retryAfter: number } }
  /** The service's own refusals: no capacity, in use, name taken. */
  | { capacity: true }
  | { inUse: true }
  | { nameTaken: true }
  /** The service's own answer with null for these properties of each object. */
  | { blank: string[] }
  /** A JSON answer of so many bytes. */
  | { oversized: number }
  /** A JSON answer with so many nested arrays. */
  | { nested: number }
  /** A gzipped JSON answer that decompresses to so many bytes. */
  | { gzipBomb: number }
  /** An error at once, and the effect later, even when the client has gone or the fault was removed. */
  | LateEffect
  /** Reads show the account of so many milliseconds ago, but no state from before the fault was planned. */
  | { lag: number }
  /** Any other answer, even one that breaks the contract. */
  | { answer: OtherAnswer };

export interface LateEffect {
  /** Milliseconds from the error to the effect. */
  later: number;
  /** Status of the error. Default 504. */
  status?: number;
  detail?: string;
  /** Cut the connection instead of answering a status. */
  reset?: true;
}

/** Has a body or a text, but not both. With neither, the answer is empty. */
export interface OtherAnswer {
  status: number;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged. */
  text?: string;
  /** The content type. Default application/json with a body, text/plain with a text. */
  type?: string;
}

/** One thing that goes wrong with the requests that match. */
export interface Fault {
  match: Match;
  when: When;
  what: What;
  /** How many times it strikes. Default 1. With 0 or Infinity it strikes until it is removed. */
  times?: number;
  /** How many matching requests pass before the first strike. Default 0. */
  skip?: number;
  /** Probability, from 0 to 1, that it strikes a matching request. Default 1. */
  probability?: number;
}

const count = z.int().min(0);
const yes = z.literal(true);
const errorStatus = z.int().min(400).max(599);

const otherAnswer = z
  .strictObject({
    status: z.int().min(200).max(599),
    body: z.json().optional(),
    text: z.string().optional(),
    type: z.string().optional(),
  })
  .refine(({ body, text }) => body === undefined || text === undefined, {
    error: "has a body or a text, not both",
  })
  .refine(
    ({ status, body, text }) => ![204, 304].includes(status) || (body === undefined && text === undefined),
    {
      error: "of this status has neither a body nor a text",
    },
  );

const kinds = [
  z.strictObject({ status: errorStatus, detail: z.string().optional() }),
  z.strictObject({ reset: yes }),
  z.strictObject({ delay: count }),
  z.strictObject({ hang: yes }),
  z.strictObject({ malformed: yes }),
  z.strictObject({ truncated: yes }),
  z.strictObject({ rateLimited: z.strictObject({ retryAfter: count }) }),
  z.strictObject({ capacity: yes }),
  z.strictObject({ inUse: yes }),
  z.strictObject({ nameTaken: yes }),
  z.strictObject({ blank: z.array(z.string().min(1)).min(1) }),
  z.strictObject({ oversized: count }),
  z.strictObject({ nested: count }),
  z.strictObject({ gzipBomb: count }),
  z.strictObject({ later: count, status: errorStatus.optional(), detail: z.string().optional() }),
  z.strictObject({ later: count, reset: yes }),
  z.strictObject({ lag: count }),
  z.strictObject({ answer: otherAnswer }),
] as const;
const names = [...new Set(kinds.map(({ shape }) => Object.keys(shape)[0]))];

const strictFault = z.strictObject({
  match: z.strictObject({
    interface: z.enum(["rest", "graphql", "queue"]).optional(),
    method: z.string().optional(),
    path: z.string().startsWith("/").optional(),
    operation: z.string().optional(),
  }),
  when: z.enum(["before", "after"]),
  what: z.union(kinds, { error: `must be exactly one of ${names.join(", ")}` }),
  times: count.or(z.literal(Number.POSITIVE_INFINITY)).optional(),
  skip: count.optional(),
  probability: z.number().min(0).max(1).optional(),
});

/** Plans are often written by hand, so unknown properties are refused. */
export const faultSchema: z.ZodType<Fault> = strictFault.refine(
  ({ when, what }) => when === "before" || !("later" in what || "lag" in what),
  { path: ["when"], error: 'must be "before": the effect of later comes by itself, and lag has none' },
);
