/** The options that all programs with random scenarios take, for `parseArgs`. */
export const options = {
  help: { type: "boolean", short: "h" },
  seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
  path: { type: "string" },
  face: { type: "string" },
} as const;

/** What the help says of them. */
export const optionsHelp = `  --seed <n>     plays the same ones again; printed at the beginning
  --path <path>  only the one that failed, as a failure tells`;

/** How to play the scenario that failed once more. */
export function replay(
  program: "chaos" | "soak",
  { seed, face }: { readonly seed: string; readonly face?: string | undefined },
  path: string | null,
): string {
  const only = face === undefined ? "" : ` --face ${face}`;
  return `replay: npm run ${program} -- --seed ${seed} --path ${path}${only}`;
}
