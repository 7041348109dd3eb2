import { preparePostgres } from "../backends/postgres";
import { prepareS3 } from "../backends/s3";
import { prepareEmptyStack } from "../harness/empty-stack";
import { useGo } from "./go";
import { useEngine } from "./index";
import { useJava } from "./java";
import { say } from "./progress.cjs";
import { usePython } from "./python";
import { startQuickly } from "./quickly";
import { runsAll } from "./runs-all";
import { startVault } from "./vault";
import { useYaml } from "./yaml";

const NOWHERE = "http://127.0.0.1:9";

/**
 * Runs once before all specifications, whose processes inherit this environment. It puts the engine first on PATH, and
 * keeps the processes that the engine starts from using the network.
 */
export default async function setUp(): Promise<void> {
  await useEngine();
  await startVault();
  // Only the specifications of shared backends and of other languages need these. They fail with a message that says
  // what to install. Those of Python, Go and Java are skipped.
  const forLong = [prepareS3, preparePostgres, usePython, useGo, useJava];
  for (const prepare of runsAll ? [useYaml, ...forLong] : [useYaml]) {
    await prepare().catch((error: Error) => say(`setup: ${error.message}`));
  }
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]) {
    process.env[name] = NOWHERE;
    process.env[name.toLowerCase()] = NOWHERE;
  }
  process.env.NO_PROXY = "127.0.0.1,localhost,::1";
  process.env.no_proxy = process.env.NO_PROXY;
  startQuickly();
  process.env.PULUMI_SKIP_UPDATE_CHECK = "true";
  process.env.PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION = "true";
  await prepareEmptyStack();
}
