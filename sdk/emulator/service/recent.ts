/** More than any test needs, but few enough that the emulator can run for weeks. */
const MOST = 10_000;

/** Appends to a list that keeps only the latest items. */
export function remember<T>(list: T[], item: T): void {
  list.push(item);
  if (list.length > MOST) list.shift();
}
