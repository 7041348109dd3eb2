import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type { PulumiFile } from "../cost/files";
import { getPrices } from "../cost/prices";
import { reportOf, tableOf } from "../cost/report";

export interface CostOptions {
  /** JSON instead of a table. */
  json?: boolean;
}

/**
 * `podlumi cost [FILE]`: what the resources of a stack cost, or those that a preview leads to, by list prices. The file
 * is what `pulumi stack export` or `pulumi preview --json` wrote; `-`, or none, is standard input.
 *
 * @returns what is to be printed
 *
 * @example
 * ```sh
 * pulumi stack export | podlumi cost
 * pulumi preview --json --show-sames > preview.json && podlumi cost preview.json --json
 * ```
 */
export async function costCommand(file: string | undefined, { json }: CostOptions = {}): Promise<string> {
  const source = file === undefined || file === "-" ? "standard input" : file;
  const content = await (source === file ? readFile(file, "utf8") : text(process.stdin));
  const report = reportOf(parsed(content, source), await getPrices());
  return json ? JSON.stringify(report, null, 2) : tableOf(report);
}

function parsed(content: string, source: string): PulumiFile {
  const how = "give the output of `pulumi stack export` or `pulumi preview --json`";
  let value: PulumiFile | null;
  try {
    value = JSON.parse(content);
  } catch {
    throw new Error(`${source} holds no JSON: ${how}`);
  }
  if (value?.deployment === undefined && value?.changeSummary === undefined)
    throw new Error(`${source} is neither a stack nor a preview: ${how}`);
  return value as PulumiFile;
}
