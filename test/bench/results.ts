import type { Call, Role } from "./calls";
import type { Phase, Provider } from "./life";

/** Everything that a run of the benchmark measured: the content of results.json. */
export interface Results {
  machine: Machine;
  lives: Life[];
  waiting: Waiting;
  quota: Quota;
  imports: Imports;
  typeCheck: TypeCheck;
}

export interface Machine {
  date: string;
  cpu: string;
  cores: number;
  /** GB. */
  memory: number;
  /** Load average of a minute before the first measurement: other work on the machine spoils it. */
  load: number;
  node: string;
  engine: string;
}

/** A stack of a size through its whole life, several times. */
export interface Life {
  provider: Provider;
  /** Resources. */
  size: number;
  /** Of the service's answers, in milliseconds. */
  latency: number;
  /** Of each run. */
  seconds: Record<Phase, number[]>;
  /** Requests of the last run, by role and name. */
  calls: Record<Phase, Record<Role, Record<string, number>>>;
  /** Peak of the resident memory of the provider's process, in bytes, of each run. */
  memory: number[];
  stateBytes: number;
  /** Bytes. */
  providerText: number;
}

/** Pods that boot at the same time. */
export interface Waiting {
  pods: number;
  /** From the first creation to the last look. */
  seconds: number;
  lists: number;
  reads: number;
}

/** A stack that is made under an enforced quota. */
export interface Quota {
  size: number;
  /** Requests that the service takes in a window. */
  quota: number;
  /** Of a window, in seconds. */
  window: number;
  /** When each request that counts came, in seconds after the first, and what it was answered. */
  calls: Pick<Call, "at" | "status" | "role">[];
  /** Seconds from the first request to the end of the first window. */
  firstWindow: number;
  /** Requests without which it cannot be done: changes, and one list a kind. */
  needed: number;
  /** Seconds from the first request to the last. */
  seconds: number;
  /** The least of that which the quota allows. */
  least: number;
  /** Seconds of the whole command. */
  command: number;
}

export interface Imports {
  /** Of each fresh process, beyond `@pulumi/pulumi`. */
  milliseconds: number[];
  files: number;
  bytes: number;
  /** Packages that a program should not load. */
  unwanted: string[];
}

export interface TypeCheck {
  size: number;
  /** Seconds of the compiler, of each run. */
  typed: number[];
  untyped: number[];
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

export function lifeOf({ lives }: Results, provider: Provider, size: number, latency: number): Life {
  const found = lives.find(
    (life) => life.provider === provider && life.size === size && life.latency === latency,
  );
  if (found === undefined) throw new Error(`nothing measured of ${provider} at ${size}, ${latency} ms`);
  return found;
}

/** The latencies and sizes that were measured. */
export const latenciesOf = ({ lives }: Results) => [...new Set(ofPodlumi(lives).map((life) => life.latency))];
export const sizesOf = ({ lives }: Results) => [...new Set(lives.map((life) => life.size))];

const ofPodlumi = (lives: Life[]) => lives.filter(({ provider }) => provider === "podlumi");

export const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0);
export const most = (counts: Record<string, number>) => Math.max(0, ...Object.values(counts));
