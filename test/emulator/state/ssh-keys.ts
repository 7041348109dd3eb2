/** The account's public keys. They reach pods created with `startSsh` afterwards. */
export class SshKeys {
  private keys: string[] = [];

  list(): string[] {
    return [...this.keys];
  }

  /** A complete replacement, not a merge (API: Account, SSH keys). */
  replace(keys: string[]): string[] {
    this.keys = [...keys];
    return this.list();
  }
}
