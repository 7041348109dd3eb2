import { faces, type Phase, type Provider, phases } from "./life";
import { latenciesOf, lifeOf, median, type Quota, type Results, sizesOf, sum } from "./results";
import { fromZero, linear, logarithmic, oneTwoFive } from "./scale";
import { drawing, type Line, type Plot } from "./svg";

/** The plots, by file name. */
export function plots(results: Results): Record<string, string> {
  return {
    "time.svg": timesOf(results),
    "requests.svg": requestsOf(results),
    "quota.svg": quotasOf(results.quotas),
  };
}

export const titles: Record<Phase, string> = {
  up: "up",
  again: "up again, no change",
  refresh: "refresh",
  destroy: "destroy",
};

/** The providers, as plots and tables call them. */
export const names: Record<Provider, string> = {
  idle: "does nothing",
  podlumi: "podlumi",
  plugin: "podlumi/plugin",
};

const looks = ["first", "second", "third"] as const;

/** Median times with their minimum and maximum. Both axes are logarithmic. */
function timesOf(results: Results): string {
  const sizes = sizesOf(results);
  const line = (
    phase: Phase,
    provider: Provider,
    latency: number,
    name: string,
    look: Line["look"],
  ): Line => {
    const points = sizes.map((size) => {
      const runs = lifeOf(results, provider, size, latency).seconds[phase];
      return { x: size, y: median(runs), low: Math.min(...runs), high: Math.max(...runs) };
    });
    return { name, look, form: "marked", points };
  };
  const panel = (phase: Phase): Plot => {
    const lines = [
      line(phase, "idle", 0, "a provider that does nothing", "idle"),
      ...latenciesOf(results)
        .flatMap((latency) => faces.map((face) => ({ latency, face })))
        .map(({ latency, face }, index) =>
          line(phase, face, latency, `${names[face]}, ${latency} ms latency`, looks[index % 3] ?? "third"),
        ),
    ];
    const seconds = lines.flatMap(({ points }) => points.flatMap(({ y, low = y, high = y }) => [low, high]));
    return {
      title: titles[phase],
      x: { ...logarithmic(sizes), label: "resources" },
      y: { ...logarithmic(oneTwoFive(seconds)), label: "seconds" },
      lines,
    };
  };
  return drawing("Time of a stack's life", phases.map(panel), 2);
}

/** Requests that change something and requests that only look. One panel per phase. */
function requestsOf(results: Results): string {
  const sizes = sizesOf(results);
  const latency = latenciesOf(results)[0] ?? 0;
  const calls = (size: number, phase: Phase) => lifeOf(results, "podlumi", size, latency).calls[phase];
  const panel = (phase: Phase): Plot => ({
    title: titles[phase],
    x: { ...logarithmic(sizes), label: "resources" },
    y: { ...fromZero(Math.max(...sizes)), label: "requests" },
    lines: [
      {
        name: "one a resource",
        look: "bound",
        form: "plain",
        points: sizes.map((size) => ({ x: size, y: size })),
      },
      {
        name: "changes",
        look: "first",
        form: "marked",
        points: sizes.map((size) => ({ x: size, y: sum(calls(size, phase).change) })),
      },
      {
        name: "looks: lists, single reads, probes",
        look: "second",
        form: "marked",
        points: sizes.map((size) => {
          const { list, read, probe } = calls(size, phase);
          return { x: size, y: sum(list) + sum(read) + sum(probe) };
        }),
      },
    ],
  });
  return drawing("Requests of a stack's life", phases.map(panel), 2);
}

/** For each quota, the accepted requests over time, below the steps of what it allowed by then, and the refused ones. */
function quotasOf(quotas: readonly Quota[]): string {
  return drawing(`${quotas[0]?.size ?? 0} resources under a quota`, quotas.map(quotaOf), 1);
}

function quotaOf({ face, of, quota, window, calls, firstWindow, least, seconds }: Quota): Plot {
  const taken = calls.filter(({ status }) => status !== 429);
  const refused = calls.filter(({ status }) => status === 429);
  const end = calls.at(-1)?.at ?? window;
  const begins = [0];
  for (let at = firstWindow; at < end; at += window) begins.push(at);
  const stairs = begins.map((x, index) => ({ x, y: (index + 1) * quota }));
  const top = Math.max(taken.length, begins.length * quota);
  const what = `${of === "rest" ? "REST" : "GraphQL"}, ${quota} requests each ${window} s, ${names[face]}`;
  return {
    title: `${what}: allowed in ${least.toFixed(1)} s, took ${seconds.toFixed(1)} s`,
    x: { ...linear(end), label: "seconds" },
    y: { ...linear(top), label: "requests" },
    lines: [
      {
        name: "allowed",
        look: "bound",
        form: "steps",
        points: [...stairs, { x: end, y: begins.length * quota }],
      },
      {
        name: "taken",
        look: "first",
        form: "steps",
        points: taken.map(({ at }, index) => ({ x: at, y: index + 1 })),
      },
      {
        name: "refused (429)",
        look: "bad",
        form: "dots",
        points: refused.map(({ at }) => ({ x: at, y: 0 })),
      },
    ],
  };
}
