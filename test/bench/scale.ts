/** A position on an axis, between 0 and 1. */
export interface Scale {
  place(value: number): number;
  /** The values at which the axis has labels. */
  ticks: number[];
}

/** Linear from zero to at least `max`. The ticks are multiples of 1, 2 or 5 times a power of ten. */
export function linear(max: number, steps = 5): Scale {
  const rough = max / steps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const count = Math.ceil(max / step);
  const ticks = Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(6)));
  return { place: (value) => value / (count * step), ticks };
}

/** Logarithmic between the first and the last of these values. */
export function logarithmic(ticks: number[]): Scale {
  const [low, high] = [Math.log(ticks[0] ?? 1), Math.log(ticks.at(-1) ?? 10)];
  return { place: (value) => (high === low ? 0.5 : (Math.log(value) - low) / (high - low)), ticks };
}

/** The ticks 1, 2, 5, 10, … that enclose these values. */
export function oneTwoFive(values: readonly number[]): number[] {
  const all = Array.from({ length: 24 }, (_, index) =>
    [1, 2, 5].map((factor) => factor * 10 ** (index - 12)),
  );
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const steps = all.flat();
  const from = steps.findLastIndex((step) => step <= low);
  return steps.slice(from, steps.findIndex((step) => step >= high) + 1);
}

/** Logarithmic with a place for zero: 0, 1, 10, 100, … */
export function fromZero(max: number): Scale {
  const powers = Math.max(1, Math.ceil(Math.log10(max)));
  const place = (value: number) => Math.log10(1 + value) / Math.log10(1 + 10 ** powers);
  return { place, ticks: [0, ...Array.from({ length: powers + 1 }, (_, power) => 10 ** power)] };
}
