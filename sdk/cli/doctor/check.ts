/** What was looked at, and what came of it. */
export interface Check {
  readonly what: string;
  readonly ok: boolean;
  readonly found: string;
  /** What to do about it. */
  readonly mend?: string;
}
