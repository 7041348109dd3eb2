import type * as pulumi from "@pulumi/pulumi";

/** Arguments of {@link SshKeys}. (API: Account, SSH keys) */
export interface SshKeysArgs {
  /**
   * **All** public keys of the account, one line each as in `~/.ssh/id_ed25519.pub`: type, body and, if you like, a
   * comment. Order is free. Changed in place.
   */
  keys: pulumi.Input<pulumi.Input<string>[]>;
}

/** Outputs of {@link SshKeys}. */
export interface SshKeysState {
  /** The lines as the program writes them, since a comment does not tell keys apart. */
  keys: string[];
}
