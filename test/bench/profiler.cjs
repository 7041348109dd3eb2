// Loaded first into the processes of a profile run. Records a CPU profile and writes it to a file.
const { writeFileSync } = require("node:fs");
const { Session } = require("node:inspector");
const { join } = require("node:path");

const roles = { "dynamic-provider": "provider", run: "program" };
const [, role] = Object.entries(roles).find(([name]) => process.argv[1]?.includes(`/cmd/${name}/`)) ?? [];

if (role !== undefined) {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.start");
  let written = false;
  const write = () => {
    if (written) return;
    written = true;
    session.post("Profiler.stop", (_error, { profile }) => {
      writeFileSync(
        join(process.env.PODLUMI_BENCH_PROFILES, `${role}.${process.pid}.json`),
        JSON.stringify(profile),
      );
    });
  };
  process.on("exit", write);
  // The engine ends a provider with a signal, and only an exit writes the profile.
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit());
}
