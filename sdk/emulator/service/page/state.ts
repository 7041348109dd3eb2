/**
 * The data of the page: each section is one server-sent event. It contains nothing confidential: no value of a
 * secret or an environment variable, no body of a request or a job, no key.
 */
export interface PageState {
  account: Account;
  requests: RequestRow[];
  jobs: JobRow[];
  faults: FaultReport;
  limits: LimitReport;
}

/** All objects, and the links between them. */
export interface Account {
  things: Thing[];
  links: Link[];
}

/** `other`: of a kind that has no place of its own on the page. */
export type Kind =
  | "other"
  | "registry"
  | "delegation"
  | "secret"
  | "volume"
  | "template"
  | "endpoint"
  | "pod";

export interface Thing {
  id: string;
  kind: Kind;
  name: string;
  status?: string;
  /** Endpoints only. */
  workers?: { id: string; status: string; version: number }[];
  facts: Fact[];
}

/** A label and its text. */
export type Fact = [label: string, text: string];

/** Two ids and their relation, which read as a sentence: `from` mounts `to`. */
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
  /** Has no query string. */
  path: string;
  operation?: string;
  /** 0 until there is an answer. */
  status: number;
  /** Milliseconds. Absent until the request has ended. */
  duration?: number;
  /** The id of the fault that it met. */
  fault?: string;
}

export interface JobRow {
  id: string;
  endpoint: string;
  status: string;
  at: number;
  /** Milliseconds of work. Absent until the job has ended. */
  duration?: number;
  worker?: string;
}

export interface FaultReport {
  plan: { id: string; text: string; injected: number; isOver: boolean }[];
  /** Newest first. */
  injected: { request: string; at: number; id: string; method: string; path: string }[];
}

/** `windows` is empty when the limit is not enforced. */
export interface LimitReport {
  windows: { name: string; quota: number; left: number; resetsAt: number }[];
}
