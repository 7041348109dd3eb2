import type * as pulumi from "@pulumi/pulumi";

/** Arguments of {@link SshKeys}. (API: Account, SSH keys) */
export interface SshKeysArgs {
  /**
   * **All** public keys of the account in any order, one line each as in `~/.ssh/id_ed25519.pub`: type, body and an
   * optional comment. Changed in place.
   */
  keys: pulumi.Input<pulumi.Input<string>[]>;
}

/** Outputs of {@link SshKeys}. */
export interface SshKeysState {
  /** The account's keys. A key that the program has is written as in the program, even if its comment differs. */
  keys: string[];
}
