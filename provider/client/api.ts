import type { Settings } from "../config";
import { log, showWaiting } from "../engine/log";
import { KnownSecrets } from "../known-secrets";
import { Answers } from "./answers";
import { type Ending, endingBy } from "./cancel";
import { type Clock, systemClock } from "./clock";
import { Collection, type Item } from "./collection";
import { type Errand, patienceOf } from "./errand";
import { Graphql } from "./graphql";
import { Hearing } from "./hearing";
import { pace, Quota } from "./pace";
import { Queue } from "./queue";
import { Rest } from "./rest";
import { retry } from "./retry";
import { type Reader, Seen, Shared } from "./shared";
import { type Send, transport } from "./transport";

/** All interfaces of the service, for one errand. Only REST and GraphQL have a quota for `pace` to keep. (API: General, rate limits) */
export class Api {
  readonly errand: Errand = {};
  private readonly ways: { readonly rest: Send; readonly graphql: Send; readonly queue: Send };
  /** Of an errand that is not unending. */
  private readonly ending: Ending;
  private readonly answers = new Answers();
  /** By a name of the kind. */
  private readonly seen = new Map<string, Seen<Item>>();

  constructor(
    private readonly settings: Settings,
    private readonly unending: Clock = systemClock,
    send: Send = transport(),
    readonly secrets = new KnownSecrets(),
    private readonly hearing = new Hearing(unending),
    /** Ends all pauses at once, and all requests soon. */
    cancelled?: AbortSignal,
  ) {
    this.ending = endingBy(cancelled, unending);
    // retry → pace → transport, and `hearing` listens to each attempt.
    const service: Send = async (request) => {
      const response = await hearing.hear(request, send(request));
      if (response.status < 300) return response;
      // Messages quote failures.
      return { ...response, body: response.body.replaceAll(settings.apiKey, "[secret]") };
    };
    const retried = (next: Send) => retry(next, unending, this.ending);
    const paced = () => retried(pace(service, new Quota(unending, cancelled), unending));
    this.ways = { rest: paced(), graphql: paced(), queue: retried(service) };
  }

  /** For another errand. A field that `errand` does not have stays as it is. */
  for(errand: Errand): Api {
    return Object.create(this, { errand: { value: { ...this.errand, ...errand } } });
  }

  /** For requests whose answers are not needed, such as those of a preview: they give up after a while, or when the errand does. */
  impatient(milliseconds = this.hearing.patience): Api {
    return this.for({ patience: this.errand.patience ?? milliseconds });
  }

  /** Its pauses end when the run is cancelled, unless the errand goes on. */
  get clock(): Clock {
    return this.errand.unending ? this.unending : this.ending.clock;
  }

  get rest(): Rest {
    return new Rest(this.bound(this.ways.rest), this.settings.apiUrl, this.settings.apiKey);
  }

  get graphql(): Graphql {
    return new Graphql(this.bound(this.ways.graphql), this.settings.graphqlUrl, this.settings.apiKey);
  }

  queue(endpointId: string): Queue {
    const { queueUrl, apiKey } = this.settings;
    const send = this.bound(this.ways.queue);
    return new Queue(send, this.clock, queueUrl, apiKey, endpointId, patienceOf(this.errand));
  }

  get clusters(): Collection {
    return this.collection("/clusters", "clusters");
  }

  get pods(): Collection {
    return this.collection("/pods", "pods");
  }

  get endpoints(): Collection {
    return this.collection("/serverless", "endpoints");
  }

  get templates(): Collection {
    return this.collection("/templates", "templates");
  }

  get networkVolumes(): Collection {
    return this.collection("/network-volumes", "networkVolumes");
  }

  // The reference does not say whether a GET reads a single volume, so podlumi reads the list. (API: Global volumes)
  get globalVolumes(): Collection {
    return this.collection("/global-volumes", "globalVolumes", false);
  }

  get registries(): Collection {
    return this.collection("/registries", "registries");
  }

  get delegations(): Collection {
    return this.collection("/registries/delegations", "delegations", false);
  }

  /** `key` names the list of objects in a response. `isSingle`: a GET can read a single object. */
  collection(root: string, key: string, isSingle?: boolean): Collection {
    return new Collection(this.rest, root, key, (reader) => this.shared<Item>(root, reader), isSingle);
  }

  /** All errands share the objects that they see under a name. */
  shared<T extends { readonly id: string }>(name: string, reader: Pick<Reader<T>, "all" | "get">): Shared<T> {
    const seen = this.seen.get(name) ?? new Seen<Item>(this.clock);
    this.seen.set(name, seen);
    const { clock } = this;
    return new Shared(seen as unknown as Seen<T>, { ...reader, clock, patience: patienceOf(this.errand) });
  }

  /** For an answer that does not change while this process runs. */
  once<T>(question: string, ask: () => Promise<T>): Promise<T> {
    return this.answers.once(question, ask, { patience: patienceOf(this.errand) });
  }

  /** Logs at the errand's resource. Without one, nobody is there to read it. */
  log(text: string): void {
    if (this.errand.urn !== undefined) log(this.errand.urn, text);
  }

  /** Shows a wait in the status line of the errand's resource. */
  waiting(what: string, milliseconds: number): void {
    showWaiting(this.errand.urn, what, milliseconds);
  }

  /** The service's time in milliseconds since the epoch. */
  now(): number {
    return this.hearing.now();
  }

  private bound(send: Send): Send {
    return (request) => send({ ...request, errand: this.errand });
  }
}
