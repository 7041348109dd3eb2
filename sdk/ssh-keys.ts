import type * as pulumi from "@pulumi/pulumi";
import { sshKeysShape } from "../provider/resources/ssh-keys/outputs";
import type { SshKeysArgs, SshKeysState } from "../provider/resources/ssh-keys/types";
import { Resource } from "./resource";

export type * from "../provider/resources/ssh-keys/types";

/**
 * The public SSH keys of the account. Pods and clusters with `startSsh` get the keys that the account has when they are
 * created. Later changes of the keys do not reach them.
 *
 * **An account has one list of keys, and this resource is the whole list: a key that is not in `keys` is removed.**
 * Declare it in one program only.
 *
 * A key is never removed before a preview has shown it. So the first `pulumi up` fails and removes nothing when the
 * account has keys that are not in `keys`. Add these keys to `keys`, and remove the unwanted ones afterwards. The same
 * holds for a key that somebody adds later, until `pulumi refresh` has seen it.
 *
 * **`pulumi destroy` leaves the keys as they are**, because lost access is worse than one key too many. To remove the
 * keys, set `keys` to `[]` first.
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

  /** Reads all keys of the account, no matter who registered them. */
  static get(name: string, opts?: pulumi.CustomResourceOptions): SshKeys {
    return new SshKeys(name, undefined as never, { ...opts, id: "ssh-keys" });
  }
}
