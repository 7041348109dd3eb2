import { appendFileSync } from "node:fs";
import { withCode } from "../codes";
import { partsOfUrn } from "../identity";
import { masked } from "../mask";
import { Engine, type EngineLog, engineOfDynamicHost, type Severity } from "./client";

/** Milliseconds of waiting before the status line shows it. */
const silence = 2_000;

/** Secret texts, by the URN of their resource. */
const secrets = new Map<unknown, readonly string[]>();

/** Hides these texts, too, in all that is said of a resource from now on. What is said of none of these resources hides them all. */
export function hideAt(urn: unknown, texts: readonly string[]): void {
  secrets.set(urn, [...new Set([...(secrets.get(urn) ?? []), ...texts])]);
}

/** A text about a resource, without its secrets. */
export function discreetAt(urn: unknown, text: string): string {
  return masked(text, secrets.get(urn) ?? [...secrets.values()].flat());
}

/** The resources whose status lines have a text of podlumi. */
const shown = new Set<unknown>();

/** Shows in the status line of a resource what is waited for, and for how long. The text does not stay in the log. */
export function showWaiting(urn: string | undefined, what: string, milliseconds: number): void {
  show(urn, `waiting for ${what}, ${inSeconds(milliseconds)}`, milliseconds);
}

/** For a request that is retried after a pause. */
export function showRetry(
  urn: string | undefined,
  outcome: string,
  limit: number,
  milliseconds: number,
  pause: number,
): void {
  const times = `retrying for up to ${inSeconds(limit)}, ${inSeconds(milliseconds)} so far`;
  show(urn, `${outcome}: ${times}`, milliseconds + pause);
}

const inSeconds = (milliseconds: number) => `${Math.round(milliseconds / 1000)} s`;

function show(urn: string | undefined, text: string, milliseconds: number): void {
  if (milliseconds < silence) return;
  if (urn === undefined) {
    tellOfWait(discreetAt(undefined, text));
    return;
  }
  shown.add(urn);
  engine?.send(urn, discreetAt(urn, text), "INFO", true);
}

/** Clears the status line of a resource, if podlumi has written to it. */
export function clearStatus(urn: unknown): void {
  if (shown.delete(urn)) engine?.send(String(urn), "", "INFO", true);
}

let tellOfWait: (text: string) => void = () => undefined;

/** Tells what a command waits for, once: it has no status line. */
export function tellWaits(tell: (text: string) => void): void {
  tellOfWait = (text) => {
    tellOfWait = () => undefined;
    tell(text);
  };
}

let namesOnStderr = false;

/** Lets messages on stderr begin with the name of their resource, too. */
export function nameResourcesOnStderr(): void {
  namesOnStderr = true;
}

/** Logs at a resource, at the stack without one, and to stderr without an engine. The text names its resource: some displays of Pulumi do not. */
export function log(urn: unknown, text: string, severity: Severity = "INFO"): void {
  const resource = typeof urn === "string" ? urn : "";
  const { name } = partsOfUrn(resource);
  const isNamed = text.includes(name) || (engine === undefined && !namesOnStderr);
  const message = discreetAt(urn, isNamed ? text : `${name}: ${text}`);
  if (engine !== undefined) engine.send(resource, message, severity, false);
  else process.stderr.write(`${message}\n`);
}

/** Details for finding a fault: shown with `PODLUMI_DEBUG=1`, or appended to the file that it names. */
export function debug(detail: string, urn?: string): void {
  const { PODLUMI_DEBUG: wanted = "" } = process.env;
  if (wanted === "") return;
  const text = discreetAt(urn, detail);
  if (wanted !== "1") appendTo(wanted, text, urn);
  else if (engine !== undefined) engine.send(urn ?? "", `podlumi: ${text}`, "INFO", false);
  else process.stderr.write(`podlumi: ${text}\n`);
}

function appendTo(file: string, text: string, urn: string | undefined): void {
  const resource = urn === undefined ? "" : `, for ${urn.split("::").slice(2).join("::")}`;
  try {
    appendFileSync(file, `${new Date().toISOString()} ${text}${resource}\n`, { mode: 0o600 });
  } catch (error) {
    // A log file that cannot be written must not cause another fault.
    const name = JSON.stringify(file);
    const { code } = error as NodeJS.ErrnoException;
    logOnce(undefined, `PODLUMI_DEBUG: podlumi cannot write to the file ${name} (${code})`, "WARNING");
  }
}

/** The engine of this process; undefined without one. */
export let engine = engineOfDynamicHost();

/** Sends all later messages to this engine. */
export function logTo(client: EngineLog): void {
  engine = new Engine(client);
}

/** Messages by URN: the engine asks some things twice. */
const said = new Set<string>();

/** Logs a message once at a resource. */
export function logOnce(urn: unknown, text: string, severity?: Severity): void {
  const message = `${String(urn)} ${text}`;
  if (!said.has(message)) log(urn, text, severity);
  said.add(message);
}

/** Warns once at a resource. `code` names the entry in docs/troubleshooting.md. */
export function warn(urn: unknown, text: string, code: string): void {
  logOnce(urn, withCode(text, code), "WARNING");
}
