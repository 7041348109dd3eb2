/** The account's public keys. Pods that are created with `startSsh` get the keys of that moment. */
export class SshKeys {
  private keys: string[] = [];

  list(): string[] {
    return [...this.keys];
  }

  /** Replaces all keys (API: Account, SSH keys). */
  replace(keys: string[]): string[] {
    this.keys = [...keys];
    return this.list();
  }
}
