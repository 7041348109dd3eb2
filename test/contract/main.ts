/**
 * `npm run contract`: compares an OpenAPI file of the service with the digest of the one that podlumi was built for.
 * The exit code is 1 when anything is new, and 2 when the file cannot be read.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { load } from "./load";
import { accept, watch } from "./watch";

const USAGE = `usage: contract [--accept] [--digest <file>] <file or address of an OpenAPI file>

Tells what differs from the contract that podlumi was built for, and what of it podlumi has not.
  --accept          write the digest: podlumi is built for this contract now
  --digest <file>   the digest (default: test/contract/digest.json)`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { accept: { type: "boolean" }, digest: { type: "string" } },
    allowPositionals: true,
  });
  const [place, ...others] = positionals;
  if (place === undefined || others.length > 0) throw new Error(USAGE);
  const digest = values.digest ?? join(__dirname, "digest.json");
  const text = await load(place);
  if (values.accept) {
    writeFileSync(digest, accept(text));
    return;
  }
  const report = watch(readFileSync(digest, "utf8"), text);
  process.stdout.write(report.text);
  if (report.news) process.exitCode = 1;
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 2;
});
