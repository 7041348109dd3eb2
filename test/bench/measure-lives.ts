import { type Account, openAccount } from "./account";
import { type Call, countOf, roundTrips } from "./calls";
import { Bench, faces, type Phase, phases } from "./life";
import { kinds, mixed } from "./program";
import type { Life } from "./results";

export interface Choice {
  sizes: number[];
  runs: number;
  /** Milliseconds. */
  latencies: number[];
}

/** Tells the progress. */
export type Tell = (text: string) => void;

/** Runs the mixed stack through its life. The providers take turns, so that other load on the machine affects both. */
export async function measureLives({ sizes, runs, latencies }: Choice, tell: Tell): Promise<Life[]> {
  const accounts = new Map<number, Account>();
  for (const latency of latencies) accounts.set(latency, await openAccount({ timings: { latency } }));
  try {
    const [account] = accounts.values() as Iterable<Account>;
    if (account === undefined) throw new Error("give at least one latency");
    const environment = await samples(account);
    const lives: Life[] = [];
    for (const size of sizes) {
      // The idle provider sends no requests, so latency does not matter to it. It is measured once.
      const ofThisSize = [
        blank("idle", size, 0),
        ...latencies.flatMap((latency) => faces.map((face) => blank(face, size, latency))),
      ];
      const rounds = size < 300 ? runs : Math.ceil(runs / 3);
      for (let round = 1; round <= rounds; round++) {
        for (const life of ofThisSize) {
          tell(`run ${round} of ${rounds}: ${size} resources, ${life.provider}, ${life.latency} ms latency`);
          const on = accounts.get(life.latency) ?? account;
          await live(life, await Bench.create(on, life.provider, mixed(size), environment));
        }
      }
      lives.push(...ofThisSize);
    }
    return lives;
  } finally {
    for (const account of accounts.values()) account.close();
  }
}

/** The idle provider's environment: podlumi's outputs for each kind, so that both providers keep the same state. */
export async function samples(account: Account): Promise<Record<string, string>> {
  const bench = await Bench.create(account, "podlumi", mixed(kinds));
  try {
    await bench.phase("up");
    const ofPodlumi = bench.state().resources.filter(({ type }) => type.includes("dynamic/podlumi:"));
    const kept = ofPodlumi.map(({ type, outputs: { __provider, ...outputs } = {} }) => [
      type.split(":").at(-1),
      readable(outputs),
    ]);
    await bench.phase("destroy");
    return { PODLUMI_BENCH_SAMPLES: JSON.stringify(Object.fromEntries(kept)) };
  } finally {
    bench.remove();
  }
}

/** What nobody has measured yet. */
export function blank<By extends string>(provider: By, size: number, latency: number): Life<By> {
  const each = <T>(value: () => T) =>
    Object.fromEntries(phases.map((phase) => [phase, value()])) as Record<Phase, T>;
  return {
    provider,
    size,
    latency,
    seconds: each(() => []),
    processor: each(() => []),
    trips: each(() => 0),
    calls: each(() => byRole([])),
    memory: [],
    stateBytes: 0,
    providerText: 0,
  };
}

/** Takes a new stack through its life, and adds what it took. */
export async function live(life: Life<string>, bench: Bench): Promise<void> {
  try {
    const memory: number[] = [];
    for (const phase of phases) {
      const measured = await bench.phase(phase);
      life.seconds[phase].push(measured.seconds);
      life.processor[phase].push(measured.processor);
      life.trips[phase] = roundTrips(measured.calls);
      life.calls[phase] = byRole(measured.calls);
      memory.push(measured.memory);
      if (phase === "again") ({ bytes: life.stateBytes, providerText: life.providerText } = bench.state());
    }
    life.memory.push(Math.max(...memory));
  } finally {
    bench.remove();
  }
}

function byRole(calls: Call[]): Life["calls"][Phase] {
  const of = (role: Call["role"]) => countOf(calls, role);
  return { list: of("list"), read: of("read"), change: of("change"), probe: of("probe") };
}

/** A state whose secrets are texts of the same length: nobody can decrypt them here, and the engine takes no half of one. */
function readable(outputs: Record<string, unknown>): Record<string, unknown> {
  const plain = (value: unknown) => {
    const { ciphertext } = Object(value) as { ciphertext?: string };
    return ciphertext === undefined ? value : JSON.stringify(value);
  };
  return Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, plain(value)]));
}
