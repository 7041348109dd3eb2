/**
 * The dynamic provider, as the Pulumi engine calls it. Every resource's state holds a text that the engine evaluates,
 * such as `require("podlumi/provider").Pod`. So the names of this module and of its exports never change.
 *
 * @packageDocumentation
 */
import { setFlagsFromString } from "node:v8";
import { endWithProcess } from "./core/end";
import { handler } from "./core/handler";
import { Run } from "./core/run";
import { isEnginesProcess } from "./engine/log";
import { definitions } from "./resources";

// undici parses HTTP with WebAssembly. This flag saves the 35 MB that V8 before Node.js 24 takes to optimize it in
// every run.
if (Number.parseInt(process.versions.node, 10) < 24) setFlagsFromString("--liftoff-only");

const run = new Run();

export const Cluster = handler(definitions.Cluster, run);
export const NetworkVolume = handler(definitions.NetworkVolume, run);
export const Pod = handler(definitions.Pod, run);
export const RegistryAuth = handler(definitions.RegistryAuth, run);
export const RegistryDelegation = handler(definitions.RegistryDelegation, run);
export const Secret = handler(definitions.Secret, run);
export const ServerlessEndpoint = handler(definitions.ServerlessEndpoint, run);
export const SshKeys = handler(definitions.SshKeys, run);
export const Template = handler(definitions.Template, run);

if (isEnginesProcess) endWithProcess(run);
