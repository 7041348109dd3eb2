/** What was checked, and the result. */
export interface Check {
  readonly what: string;
  readonly ok: boolean;
  readonly found: string;
  /** What to do about it. */
  readonly fix?: string;
}
