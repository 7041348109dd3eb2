import type { Clock } from "../../provider/client/clock";
import type { HttpResponse, Request, Send } from "../../provider/client/transport";
import { isRecord, type Properties } from "../../provider/value";
import { isShapeOnly, Masker, maskedHeaders } from "./mask";

/** A request and its answer, as recordings keep them: without ids, keys, addresses and other people's objects. */
export interface Exchange {
  readonly step: string;
  /** Sent by the acceptance itself, and not by podlumi. */
  readonly probe?: true;
  readonly interface: "rest" | "graphql";
  readonly method: string;
  /** Below the address of the interface. Ids are `<id-1>`. */
  readonly path: string;
  /** Sent without a key. */
  readonly keyless?: true;
  readonly body?: unknown;
  /** Milliseconds since the recording began. */
  readonly at: number;
  readonly duration: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly answer?: unknown;
}

export interface Addresses {
  readonly apiUrl: string;
  readonly graphqlUrl: string;
}

/** An object that a request made. */
export interface Made {
  /** Such as `/pods`. */
  readonly list: string;
  readonly id: string;
}

/** How often a request is sent again that the rate limit refuses. */
const limitTries = 10;

/** Keeps what passes between podlumi and the service. */
export class Recorder {
  readonly exchanges: Exchange[] = [];
  readonly made: Made[] = [];
  /** Called after each answer, before podlumi gets it. */
  after: (request: Request, answer: HttpResponse, made: Made | undefined) => Promise<void> = async () => {};
  step = "";
  private readonly created = new Map<string, unknown>();
  private readonly masker = new Masker();
  private readonly began: number;

  constructor(
    private readonly wire: Send,
    private readonly clock: Clock,
    private readonly addresses: Addresses,
  ) {
    this.began = clock.now();
  }

  /** For podlumi. */
  readonly send: Send = async (request) => {
    const { answer, made } = await this.exchange(request, false);
    await this.after(request, answer, made);
    return answer;
  };

  /** For requests that podlumi would not send. Waits for the rate limit, which podlumi does by itself. */
  async probe(request: Request): Promise<HttpResponse> {
    for (let refused = 0; ; refused++) {
      const { answer } = await this.exchange(request, true);
      if (answer.status !== 429 || refused === limitTries) return answer;
      await this.clock.sleep(1000 * Number(answer.headers["retry-after"] ?? 10));
    }
  }

  /** The body of the last request that made an object of a list. */
  lastCreate(list: string): unknown {
    return this.created.get(list);
  }

  private async exchange(request: Request, probing: boolean) {
    const at = this.clock.now() - this.began;
    const answer = await this.wire(request);
    const made = this.keep(request, answer, at, probing);
    return { answer, made };
  }

  private keep(request: Request, answer: HttpResponse, at: number, probing: boolean): Made | undefined {
    const { apiUrl, graphqlUrl } = this.addresses;
    const url = request.url.href;
    const rest = url.startsWith(apiUrl);
    if (!rest && !url.startsWith(graphqlUrl)) return undefined;
    const path = rest ? url.slice(apiUrl.length) : "";
    // The rate limit is the account's, and no answer to this request. A stream of logs has no end, and its own texts.
    if (answer.status === 429 || request.streamed) return undefined;
    const body = parsed(request.body);
    const content = parsed(answer.body);
    const made = rest ? madeBy(request.method, path, answer.status, content) : madeOverGraphql(content);
    if (made !== undefined) {
      this.created.set(made.list, body);
      this.masker.learnId(made.id);
      this.made.push(made);
    }
    this.masker.learn(body);
    const masked = isShapeOnly(path) ? this.masker.shape(content) : this.masker.answer(content);
    this.exchanges.push({
      step: this.step,
      ...(probing && { probe: true }),
      interface: rest ? "rest" : "graphql",
      method: request.method,
      // A cursor may tell more than it shows.
      path: this.masker.ids(decodeURIComponent(path)).replace(/cursor=[^&]*/, "cursor=next"),
      ...(rest && request.headers.authorization === undefined && { keyless: true }),
      ...(body !== undefined && { body: this.masker.request(body) }),
      at: Math.round(at),
      duration: Math.round(this.clock.now() - this.began - at),
      status: answer.status,
      headers: maskedHeaders(answer.headers),
      ...(content !== undefined && { answer: masked }),
    });
    return made;
  }
}

export function parsed(text: string | undefined): unknown {
  if (text === undefined || text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return "<no JSON>";
  }
}

export function madeBy(method: string, path: string, status: number, content: unknown): Made | undefined {
  const isCreate = method === "POST" && status < 300 && !path.includes("/action");
  return isCreate && isRecord(content) && typeof content.id === "string"
    ? { list: path, id: content.id }
    : undefined;
}

/** The service makes secrets over GraphQL where REST has none. */
export function madeOverGraphql(content: unknown): Made | undefined {
  const made = (content as { data?: { secretCreate?: Properties | null } } | undefined)?.data?.secretCreate;
  return typeof made?.id === "string" ? { list: "", id: made.id } : undefined;
}
