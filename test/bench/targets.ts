import { recent } from "../../provider/client/errand";
import { expectedTrips, lanes } from "./expected";
import { faces, type Phase, phases } from "./life";
import { names, titles } from "./names";
import { type Life, lifeOf, median, most, type Results, sizesOf, sum } from "./results";

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
  const lives = results.lives.filter(({ provider }) => provider !== "idle");
  const ofLargest = lives.filter(({ size }) => size === largest);
  return [
    ...ofLargest.flatMap(requestTargets),
    ...lives.flatMap(tripTargets),
    ...limitTargets(results),
    ...lives.flatMap((life) => timeTargets(life, results)),
    ...footprintTargets(results, largest),
  ];
}

/** A target with an upper limit. */
function atMost(matter: string, limit: number, measured: number, unit = "", digits = 0): Target {
  const target = `≤ ${limit.toFixed(digits)}${unit}`;
  return { matter, target, measured: `${measured.toFixed(digits)}${unit}`, met: measured <= limit };
}

const resources = (count: number) => `${count} resource${count === 1 ? "" : "s"}`;

/** What a life is about, for a target. */
const titleOf = ({ provider, size, latency }: Life) =>
  `${names[provider]}, ${resources(size)}, ${latency} ms latency`;

function requestTargets(life: Life): Target[] {
  const { size, calls, seconds } = life;
  const { up, again, refresh, destroy } = calls;
  /** How often a list becomes too old to tell, while a command lasts. */
  const ages = (phase: Phase) => Math.floor((1000 * (seconds[phase].at(-1) ?? 0)) / recent);
  const of = (what: string) => `${titleOf(life)}, ${what}`;
  return [
    atMost(of("up with no change: requests"), 0, sum(again.change) + sum(again.list) + sum(again.read)),
    atMost(of("refresh: list calls of a kind"), 1, most(refresh.list)),
    atMost(of("refresh: single reads of a kind"), 1, most(refresh.read)),
    atMost(of("up: changes"), size, sum(up.change)),
    atMost(of("up: list calls of a kind"), 1 + ages("up"), most(up.list)),
    atMost(of("destroy: changes"), size, sum(destroy.change)),
    atMost(of("destroy: list calls of a kind"), 1 + ages("destroy"), most(destroy.list)),
  ];
}

/**
 * The requests that follow one another. In a stack of more resources than the engine changes or reads at a time, that is what the
 * engine's own pace makes of it, so only what does not depend on it has a target. It tells of a kind with the first resource of it, which
 * a refresh reaches after others.
 */
function tripTargets(life: Life): Target[] {
  if (life.latency === 0) return [];
  const told = life.size <= lanes ? phases : (["again"] as const);
  return told.map((phase) =>
    atMost(
      `${titleOf(life)}, ${titles[phase]}: round trips`,
      expectedTrips(phase, life.size),
      life.trips[phase],
    ),
  );
}

function limitTargets({ waiting, quotas, simulated }: Results): Target[] {
  const polls = Math.ceil(waiting.seconds / shortestPause) + 1;
  return [
    // The first pod that waits is alone, so it is read singly.
    atMost(
      `waiting for ${waiting.pods} pods: lists and reads, one a poll`,
      polls,
      waiting.lists + waiting.reads,
    ),
    ...quotas.flatMap(({ face, size, of, quota, window, least, seconds, calls }) => {
      const what = `${names[face]}, ${resources(size)}, ${quota} requests of ${of} each ${window} s`;
      const refused = calls.filter(({ status }) => status === 429).length;
      return [
        atMost(`${what}: requests refused`, 0, refused),
        atMost(`${what}: seconds, at 1.1 × the least`, 1.1 * least, seconds, " s", 1),
      ];
    }),
    ...simulated.flatMap(({ window, phases, ratio, refused }) => {
      const what = `simulated, 60 requests each ${window} s, the worst of ${phases} beginnings`;
      return [
        atMost(`${what}: requests refused`, 0, refused),
        atMost(`${what}: time by the least time`, 1.1, ratio, "", 3),
      ];
    }),
  ];
}

function timeTargets(life: Life, results: Results): Target[] {
  const { size, latency } = life;
  return phases.map((phase) => {
    const idle = median(lifeOf(results, "idle", size, 0).seconds[phase]);
    const trips = expectedTrips(phase, size);
    const limit = 1.1 * (idle + (trips * latency) / 1000);
    const matter = `${titleOf(life)}, ${titles[phase]}: 1.1 × (does nothing + ${trips} round trips)`;
    return atMost(matter, limit, median(life.seconds[phase]), " s", 1);
  });
}

function footprintTargets(results: Results, largest: number): Target[] {
  const { imports, typeCheck, lives } = results;
  const ofLargest = lives.filter(({ size }) => size === largest);
  const idle = Math.max(...(ofLargest.find(({ provider }) => provider === "idle")?.memory ?? [0])) / megabyte;
  const texts = ofLargest.map(({ providerText }) => providerText);
  const ratio = median(typeCheck.typed) / median(typeCheck.untyped);
  const peaks = faces.map((face) => {
    const all = ofLargest.filter(({ provider }) => provider === face).flatMap(({ memory }) => memory);
    const matter = `${names[face]}, ${resources(largest)}: provider's process, peak, at 1.05 × what does nothing`;
    return atMost(matter, 1.05 * idle, Math.max(...all) / megabyte, " MB");
  });
  return [
    atMost("__provider in the state", 100, Math.max(...texts), " bytes"),
    atMost("import of podlumi beyond @pulumi/pulumi", 25, median(imports), " ms", 1),
    // Only Linux tells the memory.
    ...(idle === 0 ? [] : peaks),
    atMost(`type-check of ${typeCheck.size} resources: × untyped ones`, 1.2, ratio, "", 2),
  ];
}
