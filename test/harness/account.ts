import {
  type Clock,
  type Emulator,
  type EmulatorOptions,
  type LoggedRequest,
  systemClock,
} from "../../sdk/emulator/service";

/** The machine's time, plus the time that a test has let pass. */
export class PassingClock implements Clock {
  private passed = 0;

  readonly sleep = systemClock.sleep;

  now(): number {
    return systemClock.now() + this.passed;
  }

  /** Moves the time forward at once. */
  pass(milliseconds: number): void {
    this.passed += milliseconds;
  }
}

/** Short times, so that the whole life of an object takes about a second. */
export const fast: EmulatorOptions = {
  timings: { provisioning: 20, starting: 20, stopping: 0, templateRelease: 50, queueReady: 0, latency: 0 },
};

export function patch(emulator: Emulator, path: string, body: object): Promise<void> {
  return send(emulator, "PATCH", path, body);
}

/** Sends a request as another client. Throws unless it succeeds. */
export async function send(
  emulator: Emulator,
  method: string,
  path: string,
  body?: object,
  key = "key",
): Promise<void> {
  const answer = await fetch(`${emulator.apiUrl}/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) },
    body: body && JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
}

/** A request can change something. */
export function mutates({
  interface: name,
  method,
  body,
}: Pick<LoggedRequest, "interface" | "method" | "body">) {
  if (name !== "graphql") return method !== "GET";
  const query = String((body as { query?: string } | undefined)?.query);
  return query.trim().startsWith("mutation") && !query.includes("@skip");
}
