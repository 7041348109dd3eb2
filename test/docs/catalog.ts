/**
 * Program: writes the known ids of the catalog, with their day, into provider/resources/known/types.ts, from the account of the
 * environment. `--day 2026-08-31` gives another day than today, for a catalog that was written down then.
 */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import {
  type CpuType,
  type DataCenter,
  type GpuType,
  getCpuTypes,
  getDataCenters,
  getGpuTypes,
} from "../../sdk/functions";
import { code, table } from "./markdown";

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { day: { type: "string" } } });
  const day = values.day ?? new Date().toISOString().slice(0, 10);
  const [gpus, cpus, places] = await Promise.all([getGpuTypes(), getCpuTypes(), getDataCenters()]);
  const lists: [name: string, what: string, ids: string[]][] = [
    ["GpuTypeId", "A GPU type, for `gpu.id` of a pod", gpus.map(({ id }) => id)],
    [
      "GpuPoolId",
      "A pool of GPU types, for `gpu.pools` of an endpoint",
      gpus.flatMap(({ pool }) => pool ?? []),
    ],
    ["CpuFlavorId", "A CPU flavor, for `cpu.id`", cpus.map(({ id }) => id)],
    ["DataCenterId", "A data center", places.map(({ id }) => id)],
  ];
  const types = lists.map(([name, what, ids]) => {
    const known = [...new Set(ids)].sort().map((id) => `\n  | ${JSON.stringify(id)}`);
    return `/** ${what}. The catalog of ${day} had these; any other string is accepted. */
export type ${name} =
  | (string & {})${known.join("")};
`;
  });
  const from = `Made by \`npm run catalog\` from the service's catalog of ${day}.`;
  const root = resolve(__dirname, "../..");
  writeFileSync(resolve(root, "provider/resources/known/types.ts"), `// ${from}\n\n${types.join("\n")}`);
  writeFileSync(resolve(root, "docs/catalog.md"), page(`<!-- ${from} -->`, day, gpus, cpus, places));
}

function page(made: string, day: string, gpus: GpuType[], cpus: CpuType[], places: DataCenter[]): string {
  return `${made}

# Catalog

The ids of ${day}. An editor completes them in programs; any other string is accepted, since the service adds and retires
some. For the current ids, with prices and stock, run \`npx podlumi gpus\`, \`cpus\` and \`datacenters\`, or call
\`getGpuTypes\` and \`getDataCenters\` ([functions](functions.md)).

## GPU types

${table(
  ["`gpu.id` of a pod", "Name", "GB", "Pool, for `gpu.pools` of an endpoint"],
  gpus.map(({ id, name, memory, pool }) => [code(id), name, String(memory), pool ? code(pool) : ""]),
)}

## CPU flavors

${table(
  ["`cpu.id`", "Name", "vCPUs", "GB for each vCPU"],
  cpus.map(({ id, name, vcpu, ramGbPerVcpu }) => [
    code(id),
    name,
    `${vcpu.min} to ${vcpu.max}`,
    String(ramGbPerVcpu),
  ]),
)}

## Data centers

${table(
  ["`dataCenterIds`, `dataCenter`", "Region"],
  places.map(({ id, region }) => [code(id), region]),
)}
`;
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
