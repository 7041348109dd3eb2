/** More than any test looks back, and little enough to leave the emulator running for weeks. */
const MOST = 10_000;

/** Adds to a list that keeps the latest only. */
export function remember<T>(list: T[], item: T): void {
  list.push(item);
  if (list.length > MOST) list.shift();
}
