import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { emulatedProject, emulator, project } from "../harness/emulated";

emulatedProject("each", "dev", {
  apiKey: "rpa_the_key_itself",
  features: { restSecrets: false },
});

const lines = [
  'new podlumi.Secret("token", { value: "hunter22" });',
  'new podlumi.Template("base", { image: "org/app:1", env: { A: "hunter33" } });',
];
const secrets = /hunter|rpa_the_key|api_key/;

test("PODLUMI_DEBUG shows each request: what it is, what came of it, and why it was sent again", async () => {
  project.environment.PODLUMI_DEBUG = "1";
  project.declare(...lines);
  emulator.faults.add({
    match: { method: "GET", path: "/templates" },
    when: "before",
    what: { status: 503 },
    times: 1,
  });
  const { ok, printed } = await project.pulumi("up", "--yes", "--skip-preview");
  expect(ok).toBe(true);
  const told = printed.split("\n").filter((line) => /podlumi: (GET|POST)/.test(line));
  expect(told.join("\n")).toMatch(/podlumi: POST GraphQL secretCreate: 200, \d+ ms/);
  expect(told.join("\n")).toMatch(/podlumi: POST \/templates: 201, \d+ ms, request \S+/);
  expect(told.join("\n")).toMatch(/podlumi: GET \/templates: 200, \d+ ms, request \S+, attempt 2, after 503/);
  expect(told.join("\n")).not.toMatch(secrets);
  delete project.environment.PODLUMI_DEBUG;
  const quiet = await project.pulumi("destroy", "--yes", "--skip-preview");
  expect(quiet.printed).not.toMatch(/podlumi: (GET|DELETE)/);
});

test("PODLUMI_DEBUG shows it on the command line, too, or keeps it in a file that only its owner reads", async () => {
  project.environment.PODLUMI_DEBUG = "1";
  project.declare(...lines);
  const up = await project.pulumi("up", "--yes", "--skip-preview");
  expect(up.printed).toMatch(/podlumi: POST \/templates: 201/);
  const listed = await project.podlumi("ls", "templates");
  expect(listed.printed).toMatch(/podlumi: GET \/templates: 200/);

  const file = join(project.folder, "requests.log");
  project.environment.PODLUMI_DEBUG = file;
  const destroyed = await project.pulumi("destroy", "--yes", "--skip-preview");
  expect(destroyed.printed).not.toMatch(/podlumi: DELETE/);
  const kept = readFileSync(file, "utf8");
  expect(kept).toMatch(
    /^\d{4}-\S+Z DELETE \/templates\/\w+: 204, \d+ ms, request \S+, for \S*podlumi:\S*Template::base$/m,
  );
  expect(kept).not.toMatch(secrets);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const report = await project.podlumi("doctor", "--report");
  expect(report.printed).toMatch(/podlumi \d+\.\d+\.\d+/);
  expect(report.printed).toContain("RUNPOD_API_KEY: set");
  expect(report.printed).toMatch(/DELETE \/templates\/\w+: 204/);
  expect(report.printed).not.toMatch(secrets);
});
