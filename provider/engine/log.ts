import { AsyncLocalStorage } from "node:async_hooks";
import { appendFileSync } from "node:fs";
import { createRequire } from "node:module";
import { withCode } from "../codes";
import { partsOfUrn } from "../identity";
import { masked } from "../mask";

/** Milliseconds of waiting before the status line shows it. */
const silence = 2_000;

/** A resource's status line, and whether podlumi has written to it. */
interface Line {
  readonly urn: string;
  used: boolean;
}

const line = new AsyncLocalStorage<Line>();

/** What is secret of resources, by their URNs. */
const secrets = new Map<unknown, readonly string[]>();

/** Hides these texts, too, in all that is said of a resource from now on. What is said of none of these resources hides them all. */
export function hideAt(urn: unknown, texts: readonly string[]): void {
  secrets.set(urn, [...new Set([...(secrets.get(urn) ?? []), ...texts])]);
}

/** What is said of a resource, without its secrets. */
export function discreetAt(urn: unknown, text: string): string {
  return masked(text, secrets.get(urn) ?? [...secrets.values()].flat());
}

/** Acts on behalf of a resource: its waits show in that resource's status line, which is cleared in the end. */
export async function onBehalfOf<T>(urn: unknown, act: () => Promise<T>): Promise<T> {
  if (typeof urn !== "string") return act();
  const own: Line = { urn, used: false };
  try {
    return await line.run(own, act);
  } finally {
    if (own.used) sendToEngine?.(urn, "", "INFO", true);
  }
}

/** Shows in Pulumi's status line what is waited for, and for how long. The text does not stay in the log. */
export function showWaiting(what: string, milliseconds: number): void {
  show(`waiting for ${what}, ${inSeconds(milliseconds)}`, milliseconds);
}

/**
 * The same of a request that is retried after a pause: what came of it, for how long it may be retried, and how long it
 * has been.
 */
export function showRetry(outcome: string, limit: number, milliseconds: number, pause: number): void {
  const times = `retrying for up to ${inSeconds(limit)}, ${inSeconds(milliseconds)} so far`;
  show(`${outcome}: ${times}`, milliseconds + pause);
}

const inSeconds = (milliseconds: number) => `${Math.round(milliseconds / 1000)} s`;

function show(text: string, milliseconds: number): void {
  const own = line.getStore();
  if (milliseconds < silence) return;
  if (own === undefined) {
    tellOfWait(discreetAt(undefined, text));
    return;
  }
  own.used = true;
  sendToEngine?.(own.urn, discreetAt(own.urn, text), "INFO", true);
}

let tellOfWait: (text: string) => void = () => undefined;

/** Tells what a command waits for, once: it has no status line. */
export function tellWaits(tell: (text: string) => void): void {
  tellOfWait = (text) => {
    tellOfWait = () => undefined;
    tell(text);
  };
}

let hidesResources: () => boolean = () => false;

/** Lets each message begin with the name of its resource where Pulumi's display hides whose it is. */
export function nameResourcesWhere(isHidden: () => boolean): void {
  hidesResources = isHidden;
}

/** The severity of a message, by the engine's own names. */
type Severity = "DEBUG" | "INFO" | "WARNING";

/**
 * Logs a message that stays, at a resource, or at the stack when there is no resource. Without an engine, it goes to
 * stderr.
 */
export function log(urn: unknown, text: string, severity: Severity = "INFO"): void {
  const resource = typeof urn === "string" ? urn : "";
  const name = resource !== "" && hidesResources() ? `${partsOfUrn(resource).name}: ` : "";
  const message = discreetAt(urn, `${name}${text}`);
  if (sendToEngine !== undefined) sendToEngine(resource, message, severity, false);
  else process.stderr.write(`${message}\n`);
}

let showsDetails: () => boolean = () => true;

/** Lets details go to the engine only where its command shows them: each is a call of its own. */
export function detailWhere(isShown: () => boolean): void {
  showsDetails = isShown;
}

/**
 * Logs details for finding a fault. The engine shows them with `--debug`. With `PODLUMI_DEBUG=1` they always show, also
 * on the command line and in programs. Any other value of `PODLUMI_DEBUG` is a file to append them to.
 */
export function debug(detail: string): void {
  const { PODLUMI_DEBUG: wanted = "" } = process.env;
  const shown = wanted === "1";
  const send = shown || showsDetails() ? sendToEngine : undefined;
  if (send === undefined && wanted === "") return;
  const urn = line.getStore()?.urn;
  const text = discreetAt(urn, detail);
  if (send !== undefined) send(urn ?? "", `podlumi: ${text}`, shown ? "INFO" : "DEBUG", false);
  else if (shown) process.stderr.write(`podlumi: ${text}\n`);
  if (shown || wanted === "") return;
  const resource = urn === undefined ? "" : `, for ${urn.split("::").slice(2).join("::")}`;
  try {
    appendFileSync(wanted, `${new Date().toISOString()} ${text}${resource}\n`, { mode: 0o600 });
  } catch (error) {
    // A log file that cannot be written must not cause another fault.
    const file = JSON.stringify(wanted);
    const { code } = error as NodeJS.ErrnoException;
    logOnce(undefined, `PODLUMI_DEBUG: podlumi cannot write to the file ${file} (${code})`, "WARNING");
  }
}

/** Logs at the resource on whose behalf the code runs. */
export function logHere(text: string): void {
  const own = line.getStore();
  if (own !== undefined) log(own.urn, text);
}

/** Whether the engine started this process for dynamic providers. */
export const isEnginesProcess = process.argv[1]?.includes("dynamic-provider") === true;

/** Sends a message to the engine; undefined without an engine. */
let sendToEngine = ofDynamicHost();

/** Messages that the engine has not confirmed yet. */
const underWay = new Set<Promise<void>>();

/** Resolves when the engine has received every message. */
export async function flushed(): Promise<void> {
  await Promise.all(underWay);
}

/** What was said once, with the URN of the resource: the engine asks some things twice. */
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

/** A client of the engine, and its types of messages. */
export interface EngineLog {
  readonly client: { log(request: unknown, done: () => void): unknown };
  readonly LogRequest: new () => LogRequest;
  readonly LogSeverity: Record<string, unknown>;
}

interface LogRequest {
  setSeverity(severity: never): unknown;
  setUrn(urn: string): unknown;
  setMessage(message: string): unknown;
  setEphemeral(ephemeral: boolean): unknown;
}

type Sender = (urn: string, message: string, severity: Severity, ephemeral: boolean) => void;

/** Sends all later messages to this engine. */
export function logTo(engine: EngineLog): void {
  sendToEngine = senderOf(engine);
}

function senderOf({ client, LogRequest, LogSeverity }: EngineLog): Sender {
  return (urn, message, severity, ephemeral) => {
    const request = new LogRequest();
    request.setSeverity(LogSeverity[severity] as never);
    request.setUrn(urn);
    request.setMessage(message);
    request.setEphemeral(ephemeral);
    const heard = new Promise<void>((done) => client.log(request, () => done()));
    underWay.add(heard);
    void heard.then(() => underWay.delete(heard));
  };
}

/**
 * A sender to the engine that started this process as a host of dynamic providers. The engine passes its address to the
 * host. The host gives no access to the engine's `Log`, but its package has the client. If anything here is not as
 * expected, there is no status line, and messages go to stderr.
 */
function ofDynamicHost(): Sender | undefined {
  try {
    const address = process.argv[2];
    if (!isEnginesProcess || address === undefined) return undefined;
    const ofPulumi = createRequire(require.resolve("@pulumi/pulumi"));
    const { EngineClient } = ofPulumi("@pulumi/pulumi/proto/engine_grpc_pb");
    const { LogRequest, LogSeverity } = ofPulumi("@pulumi/pulumi/proto/engine_pb");
    const { credentials } = ofPulumi("@grpc/grpc-js");
    return senderOf({
      client: new EngineClient(address, credentials.createInsecure()),
      LogRequest,
      LogSeverity,
    });
  } catch {
    return undefined;
  }
}
