interface Step<T> {
  at: number;
  value: T;
}

/** A value over time: past, present and planned. It is computed when it is read, so it needs no timers. */
export class Timeline<T> {
  private steps: Step<T>[];

  constructor(...steps: Step<T>[]) {
    this.steps = steps;
  }

  /** Replaces the steps after `now` by these. */
  plan(now: number, ...steps: Step<T>[]): void {
    this.steps = [...this.past(now), ...steps];
  }

  at(now: number): T {
    const step = this.past(now).at(-1) ?? this.steps[0];
    if (!step) throw new Error("the timeline has no step yet");
    return step.value;
  }

  /** The steps taken so far, oldest first. */
  past(now: number): Step<T>[] {
    return this.steps.filter((step) => step.at <= now);
  }

  /** The values between `from` and `to`, and how long each lasted. */
  spans(from: number, to: number): { value: T; ms: number }[] {
    return this.steps.flatMap((step, index) => {
      const end = this.steps[index + 1]?.at ?? Number.POSITIVE_INFINITY;
      const ms = Math.min(end, to) - Math.max(step.at, from);
      return ms > 0 ? [{ value: step.value, ms }] : [];
    });
  }
}
