import type { Api } from "../provider/client/api";

/** Asks the mocks of a unit test in place of a function. */
export type AskMocks = (name: string, args: object) => Promise<Record<string, unknown>>;

/** The exports of `provider/toolkit.ts`. */
export type Toolkit = typeof import("../provider/toolkit");

/** The client of an account, and the tools that functions need to use it. */
export interface Service extends Toolkit {
  readonly api: Api;
  /** In a unit test, asks the mocks instead. */
  readonly mocked?: AskMocks;
}

/** The provider's code. Only this function loads it, with the first call. */
export function toolkit(): Toolkit {
  return require("../provider/toolkit");
}
