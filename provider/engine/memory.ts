import { setFlagsFromString } from "node:v8";

/** undici parses HTTP with WebAssembly. Before Node.js 24, V8 takes 35 MB and a tenth of a second to optimize it, in each run. */
export function spareMemory(): void {
  if (Number.parseInt(process.versions.node, 10) < 24) setFlagsFromString("--liftoff-only");
}
