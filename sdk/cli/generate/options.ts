import type { LanguageName } from "../program/program";

/** The options of `podlumi generate`. */
export interface Options {
  readonly out?: string;
  readonly prefix: string;
  readonly state?: string;
  readonly stack: string;
  readonly values?: string;
  readonly import?: string;
  readonly adopt?: true;
  readonly marked?: true;
  readonly json?: true;
  readonly language: LanguageName;
}
