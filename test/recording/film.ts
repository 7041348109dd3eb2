import { type Run, Screen } from "./screen";

/** What a program printed, and when, in milliseconds from its start. */
export interface Print {
  readonly at: number;
  readonly text: string;
}

/** What the screen shows from a moment on. */
export interface Frame {
  /** Milliseconds from the start of the film. */
  readonly at: number;
  readonly lines: Run[][];
}

export interface Film {
  readonly columns: number;
  readonly rows: number;
  readonly frames: readonly Frame[];
  /** Milliseconds. */
  readonly length: number;
}

/** Milliseconds. Shorter pauses make no frame. Longer ones are cut, because nothing happens in them. */
const shortest = 120;
const longest = 300;
/** Milliseconds for reading: before and after an announcement, and at the end. */
const announced = 2000;
const ending = 5000;

/**
 * The film of a program. Long waits are cut, and the film pauses at texts that the viewer should read: those for which
 * `reads` is true.
 */
export function film(
  prints: readonly Print[],
  { columns, rows, reads }: { columns: number; rows: number; reads: (text: string) => boolean },
): Film {
  const screen = new Screen(columns, rows);
  const frames: Frame[] = [];
  let at = 0;
  for (const [index, { at: now, text }] of prints.entries()) {
    if (reads(text) && frames.length > 0) at += announced;
    screen.write(text);
    const pause = (prints[index + 1]?.at ?? now) - now;
    if (pause < shortest && index < prints.length - 1 && !reads(text)) continue;
    frames.push({ at, lines: screen.visible() });
    at += reads(text) ? announced : Math.min(pause, longest);
  }
  return { columns, rows, frames, length: at + ending };
}
