import type { Api } from "../provider/client/api";

/** What the mocks of a unit test answer to a function. */
export type AskMocks = (name: string, args: object) => Promise<Record<string, unknown>>;

/** What `provider/toolkit.ts` exports. */
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
