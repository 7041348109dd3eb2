/**
 * `npm run acceptance`: the life of every kind that costs little, against the account of RUNPOD_API_KEY, or without a
 * key against the emulator. Ends with a page of what the service does otherwise than podlumi and its emulator assume.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { Api } from "../../provider/client/api";
import { systemClock } from "../../provider/client/clock";
import { transport } from "../../provider/client/transport";
import { settings } from "../../provider/config";
import { startEmulator } from "../../sdk/emulator/service";
import { accept, type Options } from "./acceptance";
import { SharedClock } from "./clock";
import { sweep } from "./mark";
import { page } from "./page";

const USAGE = `usage: acceptance [--budget <usd>] [--yes] [--out <folder>] [--sweep]

  --budget <usd>   the most that the run may cost, by the prices of the catalog (default 1.00)
  --yes            do not ask before anything is made in an account
  --out <folder>   where the page and the recording go (default acceptance)
  --sweep          only delete what an earlier run left

Without RUNPOD_API_KEY, it runs against the emulator, and costs nothing.`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      budget: { type: "string", default: "1.00" },
      yes: { type: "boolean" },
      out: { type: "string" },
      sweep: { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  const budget = Number(values.budget);
  if (values.help) {
    console.log(USAGE);
    return;
  }
  if (!(budget >= 0)) throw new Error(USAGE);
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      console.log(`${signal}: ends, and sweeps. Another one ends at once; then the next run sweeps`);
      interrupted.abort();
    });
  const key = process.env.RUNPOD_API_KEY;
  const common = {
    budget,
    tell: (line: string) => console.log(line),
    signal: interrupted.signal,
    wire: transport(),
  };
  if (key) {
    const account = settings(() => undefined, process.env);
    if (values.sweep) {
      const { deleted, left } = await sweep(new Api(account, systemClock, common.wire));
      for (const one of deleted) console.log(`deleted: ${one}`);
      for (const one of left) console.log(`STILL THERE: ${one}`);
      if (left.length > 0) process.exitCode = 2;
      return;
    }
    if (!values.yes && !(await agreed(account.apiUrl, budget)))
      throw new Error("nothing was asked of the service");
    await run({ ...common, settings: account, clock: systemClock }, "an account of the service", values.out);
  } else {
    const clock = new SharedClock();
    const emulator = await startEmulator({ clock });
    try {
      const account = settings(() => undefined, { ...process.env, ...emulator.env });
      await run(
        { ...common, settings: account, clock, wire: clock.stopped(common.wire) },
        "the emulator",
        values.out,
      );
    } finally {
      await emulator.close();
    }
  }
  if (interrupted.signal.aborted) process.exitCode = 130;
}

async function run(options: Options, of: string, out = "acceptance"): Promise<void> {
  const result = await accept(options);
  const { findings, exchanges, usd, after, outcomes } = result;
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, "first-contact.md"), page(result, of));
  // A recording has no texts but the acceptance's own and the service's words. See mask.ts.
  writeFileSync(join(out, "recording.json"), `${JSON.stringify(exchanges, undefined, 1)}\n`);
  for (const { aspect, operation, path, service, emulator, lines } of findings) {
    const [line] = lines;
    const where = line === undefined ? "" : ` (${line.file}:${line.number})`;
    console.log(`${aspect} of ${operation} ${path}: ${service}; the emulator: ${emulator}${where}`);
  }
  console.log(`${exchanges.length} requests, ${findings.length} differences, about ${usd.toFixed(4)} USD`);
  console.log(join(out, "first-contact.md"));
  if (after.left.length > 0 || outcomes.some(({ failed }) => failed !== undefined)) process.exitCode = 2;
  else if (findings.length > 0) process.exitCode = 1;
}

/** Asks the person at the terminal. Without a terminal, it fails. */
async function agreed(address: string, budget: number): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new Error("RUNPOD_API_KEY is set: give --yes to make objects in its account");
  const asking = createInterface({ input: process.stdin, output: process.stdout });
  const what = `objects in the account of RUNPOD_API_KEY at ${address}, for up to ${budget} USD`;
  const question = `This makes ${what}. Go on? [y/N] `;
  const answer = await asking.question(question);
  asking.close();
  return /^y(es)?$/i.test(answer.trim());
}

main()
  .catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 2;
  })
  // Open connections, kept for further requests, would keep the process from ending.
  .finally(() => process.exit());
