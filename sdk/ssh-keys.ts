import type * as pulumi from "@pulumi/pulumi";
import { sshKeysShape } from "../provider/resources/ssh-keys/outputs";
import type { SshKeysArgs, SshKeysState } from "../provider/resources/ssh-keys/types";
import { Resource } from "./resource";

export * from "../provider/resources/ssh-keys/types";

/**
 * The public SSH keys of the account. They reach the pods and clusters that are made afterwards with `startSsh`;
 * what runs already keeps the keys that it has.
 *
 * **There is one list for the whole account, and this resource is all of it: a key that is not in `keys` is removed.**
 * Declare it in one program only.
 *
 * A key is never removed before a preview has shown it. So the first `pulumi up` fails, and removes nothing, when the
 * account has keys that are not in `keys`: list them too, and take out afterwards those that are to go. A key that
 * somebody added meanwhile is treated likewise, until `pulumi refresh` has seen it.
 *
 * **`pulumi destroy` leaves the keys as they are**, since a lost access is worse than a key too many. To remove them,
 * set `keys` to `[]` before.
 *
 * @example
 * ```ts
 * new podlumi.SshKeys("team", {
 *   keys: [readFileSync("keys/ada.pub", "utf8"), readFileSync("keys/grace.pub", "utf8")],
 * });
 * ```
 */
export class SshKeys extends Resource<SshKeysState> {
  constructor(name: string, args: SshKeysArgs, opts?: pulumi.CustomResourceOptions) {
    super("SshKeys", sshKeysShape, name, args, opts);
  }

  /** Reads the keys of the account, whoever registered them. */
  static get(name: string, opts?: pulumi.CustomResourceOptions): SshKeys {
    return new SshKeys(name, undefined as never, { ...opts, id: "ssh-keys" });
  }
}
