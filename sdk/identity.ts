import type { Kind } from "./resource";

// Both are part of every state file: they never change.

/** The type of a kind, as the engine calls it. */
export function typeOf(kind: Kind): string {
  return `pulumi-nodejs:dynamic/podlumi:${kind}`;
}

/** The text that the engine evaluates to get the provider of a kind. */
export function providerOf(kind: Kind): string {
  return `exports.handler=()=>require("podlumi/provider").${kind}`;
}
