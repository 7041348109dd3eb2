import type { Settings } from "../config";
import { KnownSecrets } from "../known-secrets";
import type { Clock } from "./clock";
import { systemClock } from "./clock";
import { Collection } from "./collection";
import { Graphql } from "./graphql";
import { pace, Quota } from "./pace";
import { Answers } from "./patience";
import { Queue } from "./queue";
import { Rest } from "./rest";
import { retry } from "./retry";
import { traced } from "./trace";
import type { Send } from "./transport";
import { transport } from "./transport";

/**
 * All interfaces of the service. REST and GraphQL have a quota each, so `pace` holds their requests back. Queues have limits
 * of their own, so `retry` is enough for their requests.
 */
export class Api {
  readonly rest: Rest;
  readonly graphql: Graphql;
  readonly clusters: Collection;
  readonly pods: Collection;
  readonly endpoints: Collection;
  readonly templates: Collection;
  readonly networkVolumes: Collection;
  readonly globalVolumes: Collection;
  readonly registries: Collection;
  readonly delegations: Collection;
  private readonly queueSend: Send;
  private readonly answers = new Answers();
  /** How far the service's clock is ahead of this machine's, in milliseconds. */
  private ahead = 0;

  constructor(
    private readonly settings: Settings,
    readonly clock: Clock = systemClock,
    send: Send = transport(),
    /** What messages must not quote. */
    readonly secrets = new KnownSecrets(),
  ) {
    // retry → pace → time and mask → trace → end at Ctrl-C (put in by Run) → transport.
    const service = this.withTimeAndMask(traced(send, clock), settings.apiKey);
    this.queueSend = retry(service, clock);
    const paced = () => retry(pace(service, new Quota(clock), clock), clock);
    this.rest = new Rest(paced(), settings.apiUrl, settings.apiKey);
    const collection = (path: string, key: string, abilities?: { readonly single: boolean }) =>
      new Collection(this.rest, path, key, clock, abilities);
    this.clusters = collection("/clusters", "clusters");
    this.pods = collection("/pods", "pods");
    this.endpoints = collection("/serverless", "endpoints");
    this.templates = collection("/templates", "templates");
    this.networkVolumes = collection("/network-volumes", "networkVolumes");
    // The reference does not say whether a GET reads a single volume, so podlumi reads the list. (API: Global volumes)
    this.globalVolumes = collection("/global-volumes", "globalVolumes", { single: false });
    this.registries = collection("/registries", "registries");
    this.delegations = collection("/registries/delegations", "delegations", { single: false });
    this.graphql = new Graphql(paced(), settings.graphqlUrl, settings.apiKey);
  }

  /** The queue of a Serverless endpoint. */
  queue(endpointId: string): Queue {
    const { queueUrl, apiKey } = this.settings;
    return new Queue(this.queueSend, this.clock, queueUrl, apiKey, endpointId);
  }

  /** The service's time in milliseconds since the epoch, by its latest response; before that, this machine's time. */
  now(): number {
    return this.clock.now() + this.ahead;
  }

  /** Learns the service's time, and masks the API key in failures, because messages quote them. */
  private withTimeAndMask(send: Send, apiKey: string): Send {
    return async (request) => {
      const response = await send(request);
      const date = Date.parse(String(response.headers.date));
      if (!Number.isNaN(date)) this.ahead = date - this.clock.now();
      return response.status < 300
        ? response
        : { ...response, body: response.body.replaceAll(apiKey, "[secret]") };
    };
  }

  /** Asks once, and keeps what comes of it, because that does not change while this process runs. */
  once<T>(question: string, ask: () => Promise<T>): Promise<T> {
    return this.answers.once(question, ask);
  }
}
