import { z } from "zod";
import type { EmulatorFailure, EmulatorFault, EmulatorMatch } from "../../faults";

export type Match = EmulatorMatch;

export type When = EmulatorFault["when"];

export interface Fault extends Omit<EmulatorFault, "what"> {
  what: What;
}

/** Beside what users plan, answers that attack a client. */
export type What =
  | Exclude<EmulatorFailure, { later: number }>
  | LateEffect
  /** A JSON answer of so many bytes. */
  | { oversized: number }
  /** A JSON answer with so many nested arrays. */
  | { nested: number }
  /** A gzipped JSON answer that decompresses to so many bytes. */
  | { gzipBomb: number };

/** The effect comes even when the client has gone or the fault was removed. */
export interface LateEffect {
  later: number;
  status?: number;
  detail?: string;
  reset?: true;
}

export type OtherAnswer = Extract<EmulatorFailure, { answer: unknown }>["answer"];

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
