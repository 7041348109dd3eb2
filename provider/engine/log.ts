import { AsyncLocalStorage } from "node:async_hooks";
import { appendFileSync } from "node:fs";
import { createRequire } from "node:module";
import { withCode } from "../client/errors";

/** Milliseconds after which waiting is worth a word. */
const silence = 2_000;

/** A resource's line on the screen, and whether it holds something of ours. */
interface Line {
  readonly urn: string;
  used: boolean;
}

const line = new AsyncLocalStorage<Line>();

/** Does something on behalf of a resource, so that what it waits for is told in that resource's line. */
export async function onBehalfOf<T>(urn: unknown, act: () => Promise<T>): Promise<T> {
  if (typeof urn !== "string") return act();
  const own: Line = { urn, used: false };
  try {
    return await line.run(own, act);
  } finally {
    if (own.used) sendToEngine?.(urn, "", "INFO", true);
  }
}

/** Tells what is waited for, and for how long, in Pulumi's status line. Nothing of it is left when the wait is over. */
export function showWaiting(what: string, milliseconds: number): void {
  const own = line.getStore();
  if (own === undefined || milliseconds < silence) return;
  own.used = true;
  sendToEngine?.(own.urn, `waiting for ${what}, ${Math.round(milliseconds / 1000)} s`, "INFO", true);
}

/** How much something matters, by the engine's own names. */
type Severity = "DEBUG" | "INFO" | "WARNING";

/** Tells something that stays, at a resource, or at the stack where there is none. */
export function log(urn: unknown, text: string, severity: Severity = "INFO"): void {
  if (sendToEngine !== undefined) sendToEngine(typeof urn === "string" ? urn : "", text, severity, false);
  else process.stderr.write(`${text}\n`);
}

/**
 * Tells what only somebody who looks for a fault wants to know: to the engine, which shows it with `--debug`. With
 * `PODLUMI_DEBUG=1` it is shown without, also by the command line and in programs; any other value is a file to add it to.
 */
export function debug(text: string): void {
  const urn = line.getStore()?.urn;
  const { PODLUMI_DEBUG: wanted = "" } = process.env;
  const shown = wanted === "1";
  if (sendToEngine !== undefined)
    sendToEngine(urn ?? "", `podlumi: ${text}`, shown ? "INFO" : "DEBUG", false);
  else if (shown) process.stderr.write(`podlumi: ${text}\n`);
  if (shown || wanted === "") return;
  const resource = urn === undefined ? "" : `, for ${urn.split("::").slice(2).join("::")}`;
  try {
    appendFileSync(wanted, `${new Date().toISOString()} ${text}${resource}\n`, { mode: 0o600 });
  } catch {
    // Who looks for one fault is not helped by another.
  }
}

/** Tells something of what is done, at the resource on whose behalf it is. */
export function logHere(text: string): void {
  const own = line.getStore();
  if (own !== undefined) log(own.urn, text);
}

/** Whether this process is one that the engine has started for dynamic providers. */
export const isEnginesProcess = process.argv[1]?.includes("dynamic-provider") === true;

/** A word to the engine, or undefined where there is none to listen. */
const sendToEngine = connected();

/** Words that are on their way to the engine. */
const underWay = new Set<Promise<void>>();

/** Resolves when the engine has heard everything. */
export async function flushed(): Promise<void> {
  await Promise.all(underWay);
}

/** Warnings that were given, with whose they are: the engine asks some things twice. */
const warned = new Set<string>();

/** Warns at a resource, once. The code is that of its entry in docs/troubleshooting.md. */
export function warn(urn: unknown, text: string, code: string): void {
  const warning = `${String(urn)} ${text}`;
  if (!warned.has(warning)) log(urn, withCode(text, code), "WARNING");
  warned.add(warning);
}

/**
 * The engine starts a provider with its own address, whose `Log` takes messages that are shown while they are fresh.
 * The host of dynamic providers offers no way to it, but its package holds the client. A status line is a courtesy:
 * where any of this is not as expected, there is none.
 */
function connected():
  | ((urn: string, message: string, severity: Severity, ephemeral: boolean) => void)
  | undefined {
  try {
    const address = process.argv[2];
    if (!isEnginesProcess || address === undefined) return undefined;
    const ofPulumi = createRequire(require.resolve("@pulumi/pulumi"));
    const { EngineClient } = ofPulumi("@pulumi/pulumi/proto/engine_grpc_pb");
    const { LogRequest, LogSeverity } = ofPulumi("@pulumi/pulumi/proto/engine_pb");
    const { credentials } = ofPulumi("@grpc/grpc-js");
    const engine = new EngineClient(address, credentials.createInsecure());
    return (urn, message, severity, ephemeral) => {
      const request = new LogRequest();
      request.setSeverity(LogSeverity[severity]);
      request.setUrn(urn);
      request.setMessage(message);
      request.setEphemeral(ephemeral);
      const heard = new Promise<void>((done) => engine.log(request, () => done()));
      underWay.add(heard);
      void heard.then(() => underWay.delete(heard));
    };
  } catch {
    return undefined;
  }
}
