import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { isAtLeast } from "../../../provider/compare-versions";
import { type Check, check } from "./check";

const required = { node: "20.19", engine: "3.216" };

export function node(): Check {
  const found = process.versions.node;
  const fix = `install Node.js ${required.node} or later`;
  return check("Node.js", isAtLeast(found, required.node), found, fix);
}

export async function engine(): Promise<Check> {
  const what = "Pulumi engine";
  const fix = `install Pulumi ${required.engine} or later: https://www.pulumi.com/docs/install/`;
  try {
    const { stdout } = await promisify(execFile)("pulumi", ["version"], {
      env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "1" },
      timeout: 20_000,
    });
    const found = stdout.trim().replace(/^v/, "");
    return check(what, isAtLeast(found, required.engine), found, fix);
  } catch (error) {
    const absent = (error as NodeJS.ErrnoException).code === "ENOENT";
    const found = absent
      ? "there is no pulumi on PATH"
      : `\`pulumi version\` failed: ${(error as Error).message}`;
    return check(what, false, found, fix);
  }
}
