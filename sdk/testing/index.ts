/**
 * podlumi/testing: mocks for unit tests of programs, which answer as the service does. They need neither an engine nor an
 * account, and use no network. Needs the package `fastify`.
 *
 * @packageDocumentation
 */
import type * as pulumi from "@pulumi/pulumi";
import { accountOf, ownOptions } from "../emulator/account";
import { instant } from "../emulator/index";
import { implementation } from "../emulator/load";
import type { EmulatedAccount } from "../emulator/types";
import { answering } from "./provider";
import type { MockOptions } from "./types";

export type { MockOptions, Refusal } from "./types";

/** Mocks for `pulumi.runtime.setMocks`, and the account behind them. */
export interface AccountMocks extends pulumi.runtime.Mocks, EmulatedAccount {}

/**
 * Mocks for `pulumi.runtime.setMocks`. podlumi's own provider checks and creates the resources, in an account that is
 * emulated in this process. So outputs are those that the service would return, a test fails where a preview would
 * fail, and functions find what the program or the seed has created.
 *
 * @throws `Error` when fastify is not installed, or when the seed is refused.
 *
 * @example
 * ```ts
 * const account = await mocks({ seed: { secrets: [{ name: "hf_token", value: "hf_123" }] } });
 * await pulumi.runtime.setMocks(account, "shop", "dev");
 * const { pod } = require("./index");
 * // … look at the outputs of the program, or at account.snapshot()
 * ```
 */
export async function mocks({ others, refused, ...options }: MockOptions = {}): Promise<AccountMocks> {
  const own = await implementation().offlineEmulator(
    ownOptions({ ...options, timings: { ...instant, ...options.timings } }),
  );
  const account = await accountOf(own, options);
  let provider = answering(own, { others, refused });
  return {
    ...account,
    reset: () => {
      provider.end();
      account.reset();
      provider = answering(own, { others, refused });
    },
    close: () => {
      provider.end();
      return account.close();
    },
    newResource: (args) => provider.newResource(args),
    call: (args) => provider.call(args),
  };
}
