import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

test("a pack without Pulumi's own library says what to install", () => {
  const folder = mkdtempSync(join(tmpdir(), "podlumi-policy-"));
  try {
    // A copy of the package, beside which the library is not.
    const own = join(folder, "node_modules", "podlumi");
    mkdirSync(own, { recursive: true });
    mkdirSync(join(folder, "node_modules", "@pulumi"));
    cpSync("dist", join(own, "dist"), { recursive: true });
    cpSync("package.json", join(own, "package.json"));
    for (const name of ["@pulumi/pulumi", "fastest-levenshtein", "zod"])
      symlinkSync(resolve("node_modules", name), join(folder, "node_modules", name));
    const pack = `try { require("podlumi/policy").podlumiPolicies("team") } catch ({ message }) { console.log(message) }`;
    expect(execFileSync("node", ["-e", pack], { cwd: folder, encoding: "utf8" })).toMatch(
      /^a policy pack needs @pulumi\/policy, .*npm install --save-dev @pulumi\/policy \[PODLUMI-NO-POLICY\]\n$/,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
