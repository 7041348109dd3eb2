import { phases } from "./life";
import { neededTrips } from "./needed";
import { titles } from "./plots";
import { type Life, latenciesOf, lifeOf, median, most, type Results, sizesOf, sum } from "./results";

/** A target for podlumi, the measured value, and whether the target is met. */
export interface Target {
  matter: string;
  target: string;
  measured: string;
  met: boolean;
}

const megabyte = 1_000_000;
/** The shortest pause between two polls of what podlumi waits for, in seconds. */
const shortestPause = 0.5;

export function targetsOf(results: Results): Target[] {
  const sizes = sizesOf(results);
  const largest = Math.max(...sizes);
  const latencies = latenciesOf(results);
  const life = lifeOf(results, "podlumi", largest, latencies[0] ?? 0);
  return [
    ...requestTargets(life),
    ...limitTargets(results),
    ...sizes.flatMap((size) =>
      latencies.flatMap((latency) => timeTargets(lifeOf(results, "podlumi", size, latency), results)),
    ),
    ...footprintTargets(life, results),
  ];
}

/** A target with an upper limit. */
function atMost(matter: string, limit: number, measured: number, unit = "", digits = 0): Target {
  const target = `≤ ${limit.toFixed(digits)}${unit}`;
  return { matter, target, measured: `${measured.toFixed(digits)}${unit}`, met: measured <= limit };
}

/** The target for the peak memory of podlumi's provider. Also shows the idle provider's. */
function peak(size: number, memory: number, idle: number): Target {
  const target = atMost(`${resources(size)}: provider's process, peak`, 150, memory, " MB");
  return { ...target, measured: `${target.measured} (does nothing: ${idle.toFixed(0)} MB)` };
}

const resources = (count: number) => `${count} resource${count === 1 ? "" : "s"}`;

function requestTargets({ size, calls }: Life): Target[] {
  const { up, again, refresh, destroy } = calls;
  const of = (what: string) => `${resources(size)}, ${what}`;
  return [
    atMost(of("up with no change: changes"), 0, sum(again.change)),
    atMost(of("up with no change: list calls of a kind"), 1, most(again.list)),
    atMost(of("up with no change: single reads"), 0, sum(again.read)),
    atMost(of("refresh: list calls of a kind"), 1, most(refresh.list)),
    atMost(of("refresh: single reads of a kind"), 1, most(refresh.read)),
    atMost(of("up: changes"), size, sum(up.change)),
    atMost(of("up: list calls of a kind"), 1, most(up.list)),
    atMost(of("destroy: changes"), size, sum(destroy.change)),
  ];
}

function limitTargets({ waiting, quota }: Results): Target[] {
  const polls = Math.ceil(waiting.seconds / shortestPause) + 1;
  const of = `${resources(quota.size)}, ${quota.quota} requests each ${quota.window} s`;
  return [
    // The first pod that waits is alone, so it is read singly.
    atMost(
      `waiting for ${waiting.pods} pods: lists and reads, one a poll`,
      polls,
      waiting.lists + waiting.reads,
    ),
    atMost(`${of}: requests refused`, 0, quota.calls.filter(({ status }) => status === 429).length),
    atMost(`${of}: seconds, at 1.1 × the least`, 1.1 * quota.least, quota.seconds, " s", 1),
  ];
}

function timeTargets(life: Life, results: Results): Target[] {
  const { size, latency } = life;
  return phases.map((phase) => {
    const idle = median(lifeOf(results, "idle", size, 0).seconds[phase]);
    const own = median(life.seconds[phase]);
    const trips = neededTrips(phase, size);
    const limit = 1.1 * (idle + (trips * latency) / 1000);
    const matter = `${resources(size)}, ${latency} ms, ${titles[phase]}: 1.1 × (does nothing + ${trips} round trips)`;
    return atMost(matter, limit, own, " s", 1);
  });
}

function footprintTargets(life: Life, results: Results): Target[] {
  const { imports, typeCheck } = results;
  const memory = Math.max(...life.memory) / megabyte;
  const idle = Math.max(...lifeOf(results, "idle", life.size, 0).memory) / megabyte;
  const ratio = median(typeCheck.typed) / median(typeCheck.untyped);
  return [
    atMost("__provider in the state", 100, life.providerText, " bytes"),
    atMost("import of podlumi beyond @pulumi/pulumi", 30, median(imports.milliseconds), " ms", 1),
    atMost("import of podlumi: files of zod, undici, graphql-request, provider", 0, imports.unwanted.length),
    ...(memory === 0 ? [] : [peak(life.size, memory, idle)]),
    atMost(`type-check of ${typeCheck.size} resources: × untyped ones`, 1.2, ratio, "", 2),
  ];
}
