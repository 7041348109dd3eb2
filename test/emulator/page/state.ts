/**
 * What the page is told, section by section, each as one server-sent event. It holds what may be on a screen:
 * no value of a secret or an environment variable, no body of a request or a job, no key.
 */
export interface PageState {
  account: Account;
  requests: RequestRow[];
  jobs: JobRow[];
  faults: FaultReport;
  limits: LimitReport;
}

/** Everything that exists, and how it hangs together. */
export interface Account {
  things: Thing[];
  links: Link[];
}

export type Kind = "registry" | "delegation" | "secret" | "volume" | "template" | "endpoint" | "pod";

export interface Thing {
  id: string;
  kind: Kind;
  name: string;
  status?: string;
  /** Of an endpoint. */
  workers?: { id: string; status: string; version: number }[];
  facts: Fact[];
}

/** A label and its text. */
export type Fact = [label: string, text: string];

/** Reads as a sentence: `from` mounts `to`. Both by id. */
export interface Link {
  from: string;
  relation: "mounts" | "made from" | "pulls with" | "uses secret";
  to: string;
}

export interface RequestRow {
  id: string;
  /** Milliseconds since 1970. */
  at: number;
  interface: string;
  method: string;
  /** Without the query string. */
  path: string;
  operation?: string;
  /** 0 as long as there is no answer. */
  status: number;
  /** Milliseconds; absent until the end. */
  duration?: number;
  /** The fault that it met, by its id. */
  fault?: string;
}

export interface JobRow {
  id: string;
  endpoint: string;
  status: string;
  at: number;
  /** Milliseconds of work; absent until it is over. */
  duration?: number;
  worker?: string;
}

export interface FaultReport {
  plan: { id: string; text: string; injected: number; isOver: boolean }[];
  /** Newest first. */
  injected: { request: string; at: number; id: string; method: string; path: string }[];
}

/** Absent windows: the limit is not enforced. */
export interface LimitReport {
  windows: { name: string; quota: number; left: number; resetsAt: number }[];
}
