export interface Check {
  readonly what: string;
  readonly ok: boolean;
  readonly found: string;
  /** The remedy; undefined where all is well. */
  readonly fix?: string;
}

export function check(what: string, ok: boolean, found: string, fix?: string): Check {
  return { what, ok, found, ...(!ok && { fix }) };
}
