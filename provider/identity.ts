/** The kinds, each by the name under which it is exported by `podlumi/provider`. */
export type KindName =
  | "Cluster"
  | "NetworkVolume"
  | "Pod"
  | "RegistryAuth"
  | "RegistryDelegation"
  | "Secret"
  | "ServerlessEndpoint"
  | "SshKeys"
  | "Template";

// Both are part of every state file: they never change.

const typePrefix = "pulumi-nodejs:dynamic/podlumi:";

/** The type of a kind, as the engine calls it. */
export function typeOf(kind: KindName): string {
  return `${typePrefix}${kind}`;
}

/** The kind of a resource by its type; undefined when it is none of podlumi's. */
export function kindOfType(type: string): string | undefined {
  return type.startsWith(typePrefix) ? type.slice(typePrefix.length) : undefined;
}

/** The text that the engine evaluates to get the provider of a kind. */
export function providerOf(kind: KindName): string {
  return `exports.handler=()=>require("podlumi/provider").${kind}`;
}
