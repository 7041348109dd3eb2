import { z } from "zod";

const MB = 1024 * 1024;
/** Bytes of the largest payload. (API: Send requests; Batch jobs) */
export const LIMIT = { run: 10 * MB, runsync: 20 * MB, batch: 10 * MB };
const DAY = 24 * 3600 * 1000;

export const submission = z.object({
  input: z.record(z.string(), z.unknown()),
  policy: z
    .object({
      executionTimeout: z
        .int()
        .min(5_000)
        .max(7 * DAY)
        .optional(),
      lowPriority: z.boolean().optional(),
      ttl: z
        .int()
        .min(10_000)
        .max(7 * DAY)
        .optional(),
    })
    .optional(),
});
