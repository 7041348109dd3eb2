/** A row of the table of retries. The code takes numbers and conditions from here, and docs/retries.md shows the texts. */
export interface Policy {
  readonly what: string;
  readonly after: string;
  readonly seconds: number;
  /** The argument of a resource that sets `seconds`. */
  readonly argument?: string;
  /** The statuses after which it is retried; absent where more than the status decides. */
  readonly statuses?: (status: number) => boolean;
}

/** For requests with the same effect on the service. */
export interface RequestPolicy extends Policy {
  readonly statuses: (status: number) => boolean;
  /** It is retried even when the service may have received it. */
  readonly ambiguous: boolean;
}

/** A rule of the service refuses a request. (API: Errors) */
export const refusals = (status: number) => status === 400 || status === 409;

/** For requests that may be done twice. */
const repeated = {
  after: "408, 425, 429, 5xx, no answer",
  seconds: 120,
  statuses: (status: number) => status === 408 || status === 425 || status === 429 || status >= 500,
  ambiguous: true,
};

/** For those that may be done once. */
const refused = {
  after: "429",
  seconds: 120,
  statuses: (status: number) => status === 429,
  ambiguous: false,
};

/**
 * Changes set absolute values and deletes end in absence, so both can be repeated. A second change of a pod would restart it once more, a
 * second `run` create a second job, a second `purgeQueue` count nothing, and a second `stream` lose chunks.
 */
export const requests = {
  read: { what: "Reads", ...repeated },
  change: { what: "Changes", ...repeated },
  restart: {
    what: "Changes of a pod, which may restart it",
    ...refused,
    after: "425, 429",
    statuses: (status: number) => status === 425 || status === 429,
  },
  delete: { what: "Deletes; 404 is success", ...repeated },
  create: { what: "Creates, pod actions", ...refused },
  job: {
    what: "Jobs: `run`, `runSync`, `retry`, `stream`, `purgeQueue`; batches: `create`, `add`, `finalize`",
    ...refused,
  },
} satisfies Record<string, RequestPolicy>;

/** Cases that need more than sending a request again. */
export const situations = {
  unreachable: {
    what: "Any request without a connection",
    after:
      "refused, timeout, no route, unknown host, refused by the proxy, TLS failed, certificate not trusted",
    seconds: 15,
  },
  freshQueue: {
    what: "First requests to the queue of an endpoint",
    after: "404, before the queue has answered once",
    seconds: 15,
    statuses: (status: number) => status === 404,
  },
  unfinished: {
    what: "Creates that may have taken effect",
    after: "408, 5xx, cut connection, unreadable response, if podlumi finds no object with their mark",
    seconds: 120,
    statuses: (status: number) => status === 408 || status >= 500,
  },
  unclearRestart: {
    what: "Changes of a pod that may have taken effect",
    after: "408, 5xx, cut connection, unreadable response, if the pod has not shown them for 30 s",
    seconds: 120,
  },
  unseen: {
    what: "The search for what such a create may have created",
    after: "no object with its mark is listed",
    seconds: 30,
  },
  nameTaken: {
    what: "Creates and changes that give a unique name",
    after: "400, 409, while another object has the name; if none has it, once",
    seconds: 60,
  },
  workersTaken: {
    what: "Creates and updates that take more of the account's workers",
    after: "400, 409, while another update of the run still has to give up workers; otherwise once",
    seconds: 60,
  },
  inUse: {
    what: "Deletes of templates, volumes, credentials",
    after: "400, by which the service refuses to delete an object in use",
    seconds: 180,
    statuses: (status: number) => status === 400,
    argument: "deleteTimeout",
  },
  noRoom: {
    what: "Creates of pods",
    after: "400, 403: the next of `placements`, then all again",
    seconds: 0,
    argument: "capacityTimeout",
    statuses: (status: number) => status === 400 || status === 403,
  },
  hostFull: {
    what: "Starts of pods, creates of clusters",
    after: "400",
    seconds: 0,
    argument: "capacityTimeout",
    statuses: (status: number) => status === 400,
  },
} satisfies Record<string, Policy>;

/** Milliseconds for which lists and reads may lag behind what the service has done. */
export const longestLag = situations.unseen.seconds * 1000;

/** Milliseconds within which nearly all requests take effect. A later object may be a copy of the one that a request created. */
export const usualEffect = 600_000;
