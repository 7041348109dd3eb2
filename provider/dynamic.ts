/**
 * What the Pulumi engine calls. Every resource's state names this module and one of its exports, in a text that
 * the engine evaluates: `require("podlumi/provider").Pod`. The names never change.
 *
 * @packageDocumentation
 */
import { setFlagsFromString } from "node:v8";
import { endRun } from "./core/end";
import { handler } from "./core/handler";
import { Run } from "./core/run";
import { flushed, isEnginesProcess } from "./engine/log";
import { definitions } from "./resources";

// undici reads HTTP with WebAssembly. Before Node.js 24, V8 takes 35 MB to optimize it, in each run anew.
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

/** Milliseconds. The engine interrupts a provider at the end of a run, and kills it 5 s later. */
const patience = 4_500;

// The only word of the end of a run that a provider gets.
if (isEnginesProcess) {
  const end = () => {
    setTimeout(() => process.exit(), patience);
    void endRun(run)
      .then(flushed)
      .finally(() => process.exit());
  };
  process.once("SIGINT", end).once("SIGBREAK", end);
}
