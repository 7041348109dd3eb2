import { z } from "zod";

/** Which requests are meant. What is left out matches anything. */
export interface Match {
  interface?: "rest" | "graphql" | "queue";
  method?: string;
  /** Below the address of the interface, without the query string; `*` stands for one segment. */
  path?: string;
  /** Field of GraphQL. */
  operation?: string;
}

/** Before: the service does nothing. After: it has acted, and the answer is spoilt. */
export type When = "before" | "after";

/** What goes wrong. */
export type What =
  /** In the interface's own form of an error. */
  | { status: number; detail?: string }
  /** The connection is cut. */
  | { reset: true }
  /** Milliseconds by which the service acts late (before) or answers late (after). */
  | { delay: number }
  /** There is no answer until the client gives up or the emulator closes. */
  | { hang: true }
  /** The body is no JSON, whatever the status and the content type say. */
  | { malformed: true }
  /** The connection ends in the middle of the body. */
  | { truncated: true }
  /** 429. `retryAfter` is in seconds. */
  | { rateLimited: { retryAfter: number } }
  /** The service's own refusals. */
  | { capacity: true }
  | { inUse: true }
  | { nameTaken: true }
  /** Bytes of a JSON answer. */
  | { oversized: number }
  /** Depth of a JSON answer. */
  | { nested: number }
  /** Bytes of a JSON answer that travels compressed. */
  | { gzipBomb: number }
  /** An error at once, and the effect so many milliseconds later, also when the client or the fault has gone. */
  | LateEffect
  /** A list or a single read is answered as of so many milliseconds ago, from when the fault was planned on. */
  | { lag: number }
  /** Another answer than the contract's. */
  | { answer: OtherAnswer };

export interface LateEffect {
  /** Milliseconds. */
  later: number;
  /** Of the error. Default 504. */
  status?: number;
  detail?: string;
  /** The connection is cut instead, without a status. */
  reset?: true;
}

/** It is empty without body and text, and has one of them at most. */
export interface OtherAnswer {
  status: number;
  /** JSON. */
  body?: unknown;
  /** Sent as it is. */
  text?: string;
  /** The content type. Default application/json with a body, text/plain with a text. */
  type?: string;
}

/** Something that goes wrong with certain requests. */
export interface Fault {
  match: Match;
  when: When;
  what: What;
  /** How often. Default 1; 0 and Infinity: until it is removed. */
  times?: number;
  /** How many matching requests pass first. Default 0. */
  skip?: number;
  /** Of each matching request after those. Default 1. */
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

/** A plan is often written by hand, so that whatever it does not know is refused. */
export const faultSchema: z.ZodType<Fault> = strictFault.refine(
  ({ when, what }) => when === "before" || !("later" in what || "lag" in what),
  { path: ["when"], error: 'must be "before": the effect of later comes by itself, and lag has none' },
);
