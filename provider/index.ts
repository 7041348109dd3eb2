/**
 * What the Pulumi engine calls. Every resource's state names this module and one of its exports, in a text that
 * the engine evaluates: `require("podlumi/provider").Pod`. The names never change.
 *
 * @packageDocumentation
 */
import { setFlagsFromString } from "node:v8";
import type { Config } from "@pulumi/pulumi/dynamic";
import type { Lookup } from "./config";
import { handler } from "./core/handler";
import { removeLeftovers } from "./core/leftovers";
import { definitions } from "./resources";
import { session } from "./session";

// undici reads HTTP with WebAssembly. Before Node.js 24, V8 takes 35 MB to optimize it, in each run anew.
if (Number.parseInt(process.versions.node, 10) < 24) setFlagsFromString("--liftoff-only");

const current = session();

export const Cluster = handler(definitions.Cluster, current);
export const NetworkVolume = handler(definitions.NetworkVolume, current);
export const Pod = handler(definitions.Pod, current);
export const RegistryAuth = handler(definitions.RegistryAuth, current);
export const RegistryDelegation = handler(definitions.RegistryDelegation, current);
export const Secret = handler(definitions.Secret, current);
export const ServerlessEndpoint = handler(definitions.ServerlessEndpoint, current);
export const SshKeys = handler(definitions.SshKeys, current);
export const Template = handler(definitions.Template, current);

/**
 * For the end of a program, which runs in a process of its own: see `sdk/interrupted.ts`. `declared` are its resources,
 * with their ids where the state has them.
 */
export function tidy(
  get: Lookup,
  stack: string,
  declared: ReadonlyMap<string, string | undefined>,
  tell: (text: string) => void,
): Promise<void> {
  current.configure({ get } as Config);
  for (const [urn, id] of declared) {
    // A note may come back from an old cache after what it tells of was taken over.
    if (id !== undefined) for (const { owned } of current.makers.values()) owned.set(id, urn);
  }
  const unwanted = (urn: string) => !declared.has(urn) || declared.get(urn) !== undefined;
  return removeLeftovers(current, stack, unwanted, tell);
}
