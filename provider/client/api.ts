import type { Settings } from "../config";
import { type Clock, systemClock } from "./clock";
import { Graphql } from "./graphql";
import { Rest } from "./rest";
import { retry } from "./retry";
import { type Send, transport } from "./transport";

/** The whole service behind one chain: retry, then the wire. One for each provider process. */
export class Api {
  readonly rest: Rest;
  readonly graphql: Graphql;

  constructor(
    settings: Settings,
    readonly clock: Clock = systemClock,
    wire: Send = transport(),
  ) {
    const send = retry(wire, clock);
    this.rest = new Rest(send, settings.apiUrl, settings.apiKey);
    this.graphql = new Graphql(send, settings.graphqlUrl, settings.apiKey);
  }

  private readonly answers = new Map<string, Promise<unknown>>();

  /** Asks the service once for something that does not change while this process runs. */
  once<T>(question: string, ask: () => Promise<T>): Promise<T> {
    const known = this.answers.get(question) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const answer = ask();
    this.answers.set(question, answer);
    answer.catch(() => this.answers.delete(question));
    return answer;
  }
}
