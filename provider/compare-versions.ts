/** Compares versions by their numbers: 12.10 is after 12.8. */
export function isAtLeast(version: string, least: string): boolean {
  return version.localeCompare(least, "en", { numeric: true }) >= 0;
}
