import type { Emulator } from "../../sdk/emulator/service";
import type { Contract } from "./contract";

export interface Call {
  body?: unknown;
  headers?: Record<string, string>;
  /** The status that the scenario expects. */
  expect: number;
}

/** Sends requests to the emulator and checks every answer, and every accepted body, against the contract. */
export class Recorder {
  readonly violations: string[] = [];
  readonly notInContract = new Set<string>();
  private readonly succeeded = new Set<string>();
  private served: string[] = [];
  calls = 0;

  constructor(
    private readonly emulator: Emulator,
    private readonly contract: Contract,
  ) {}

  /** Reads the list of served operations from the emulator's own schema. */
  async start(): Promise<void> {
    const schema = await (await fetch(`${this.emulator.apiUrl}/openapi.json`)).json();
    const { paths } = schema as { paths: Record<string, object> };
    this.served = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
  }

  get operations(): string[] {
    return this.served;
  }

  get uncovered(): string[] {
    return this.served.filter((operation) => !this.succeeded.has(operation));
  }

  /** `path` is below /v2. Returns the JSON body of the answer. */
  async send<T = { id: string }>(method: string, path: string, { body, headers, expect }: Call): Promise<T> {
    this.calls += 1;
    const gone = new AbortController();
    const response = await fetch(this.emulator.apiUrl + path, {
      method,
      headers: { Authorization: "Bearer key", "Content-Type": "application/json", ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: gone.signal,
    });
    const type = response.headers.get("content-type")?.split(";")[0] ?? "";
    const answer = await bodyOf(response, type);
    gone.abort();
    this.check(method, `/v2${path.split("?")[0]}`, { body, expect }, response, type, answer);
    return answer as T;
  }

  private check(
    method: string,
    path: string,
    call: Call,
    response: Response,
    type: string,
    answer: unknown,
  ): void {
    const { status, headers } = response;
    const report = (faults: string[]) =>
      this.violations.push(...faults.map((fault) => `${method} ${path} → ${status}: ${fault}`));
    if (status !== call.expect) report([`expected ${call.expect}: ${JSON.stringify(answer)}`]);
    if (status !== 401 && status !== 413 && !(headers.has("ratelimit") && headers.has("ratelimit-policy")))
      report(["no RateLimit headers"]);
    if (status < 300) this.succeeded.add(this.servedBy(method, path));
    const match = this.contract.find(method, path);
    if (!match) {
      this.notInContract.add(this.servedBy(method, path));
      return;
    }
    report(this.contract.checkAnswer(match, status, type, answer));
    if (status < 300 && call.body !== undefined) report(this.contract.checkRequest(match, call.body));
  }

  private servedBy(method: string, path: string): string {
    const fits = (operation: string) => {
      const [verb, template = ""] = operation.split(" ");
      return verb === method && new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);
    };
    const [best] = this.served.filter(fits).sort((a, b) => a.split("{").length - b.split("{").length);
    return best ?? `${method} ${path}`;
  }
}

/** The parsed JSON, or the text of what is no JSON, or the first chunk of an event stream as text. */
async function bodyOf(response: Response, type: string): Promise<unknown> {
  if (type !== "text/event-stream") {
    const text = await response.text();
    try {
      return text === "" ? "" : JSON.parse(text);
    } catch {
      return text;
    }
  }
  const reader = response.body?.getReader();
  const chunk = await reader?.read();
  return new TextDecoder().decode(chunk?.value);
}
