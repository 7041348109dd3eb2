import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, makeOnce } from "../engine/cache";
import { run } from "../engine/progress.cjs";
import { type Backend, freePort, startServer } from "./server";

const PROGRAM = "github.com/johannesboyne/gofakes3/cmd/gofakes3";
const pinned = join(__dirname, "s3");
const version = /gofakes3 v(\S+)$/m.exec(readFileSync(join(pinned, "go.mod"), "utf8"))?.[1];
const built = cacheFolder(`gofakes3-${version}`);

/** Builds a small S3 server with Go, unless the cache has it. */
export async function prepareS3(): Promise<void> {
  await makeOnce(built, (folder) =>
    run(
      "backends: building an S3 server from source with Go (about 20 s, once)",
      "go",
      ["build", "-ldflags", "-s -w", "-o", folder, PROGRAM],
      { cwd: pinned, env: { ...process.env, CGO_ENABLED: "0" } },
    ),
  );
}

/** Starts the S3 server with a bucket `states`. It accepts any credentials. */
export async function startS3(): Promise<Backend> {
  if (!existsSync(built)) {
    throw new Error(
      "There is no S3 server: install Go 1.25 or later (https://go.dev/dl/) to have it built, and start again.",
    );
  }
  const port = await freePort();
  const host = `127.0.0.1:${port}`;
  const args = ["-host", host, "-backend", "memory", "-initialbucket", "states", "-quiet"];
  const stop = await startServer(join(built, "gofakes3"), args, port);
  return {
    env: {
      PULUMI_BACKEND_URL: `s3://states?endpoint=${host}&region=eu-west-1&disableSSL=true&s3ForcePathStyle=true`,
      AWS_ACCESS_KEY_ID: "specification",
      AWS_SECRET_ACCESS_KEY: "specification",
    },
    stop,
  };
}
