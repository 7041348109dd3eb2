import { reading, readingOutput } from "./function";

export type * from "../../provider/functions/account/types";

/**
 * The account of the key: whose it is, its balance, and its limits. Only newer versions of the service tell, and not to every key.
 * The balance is another one in each run: an output of the stack that has it changes each time. (API: Account)
 *
 * @example
 * ```ts
 * const { serverlessWorkers } = await podlumi.getAccount();
 * const room = (serverlessWorkers.limit ?? 5) - (serverlessWorkers.current ?? 0);
 * ```
 */
export const getAccount = reading("getAccount");

/**
 * Like {@link getAccount}, but returns an output, also of the account of another provider.
 *
 * @example
 * ```ts
 * export const account = podlumi.getAccountOutput({}, { provider: research }).id;
 * ```
 */
export const getAccountOutput = readingOutput("getAccount");

/**
 * The public keys of the account, one line each. {@link SshKeys} sets them. (API: Account, SSH keys)
 *
 * @example
 * ```ts
 * const env = { PUBLIC_KEY: (await podlumi.getSshKeys()).join("\n") };
 * ```
 */
export const getSshKeys = reading("getSshKeys");

/**
 * Like {@link getSshKeys}, but returns an output.
 *
 * @example
 * ```ts
 * export const sshKeys = podlumi.getSshKeysOutput().apply((keys) => keys.length);
 * ```
 */
export const getSshKeysOutput = readingOutput("getSshKeys");
