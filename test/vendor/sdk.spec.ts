import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Emulator, startEmulator } from "../../sdk/emulator/service";
import { fast } from "../harness/account";

// The vendor's Python SDK, as it is, against the emulator. To run it, install `runpod` from PyPI, and name that Python in
// PODLUMI_VENDOR_PYTHON.

const python = process.env.PODLUMI_VENDOR_PYTHON;
if (python === undefined)
  process.stderr.write(
    "skipped: the vendor's Python SDK, because PODLUMI_VENDOR_PYTHON names no Python that has it\n",
  );

async function* parts() {
  yield "one";
  yield "two";
}

let emulator: Emulator | undefined;
afterEach(() => emulator?.close());

(python === undefined ? test.skip : test)("every function of the Python SDK does what it says", async () => {
  emulator = await startEmulator({ ...fast, features: { templateArgs: "dockerArgs", streamStatus: true } });
  emulator.setHandler("*", ({ prompt }, { signal }) => {
    if (prompt === "wait") return new Promise((done) => signal.addEventListener("abort", done));
    if (prompt === "stream") return parts();
    return `You said ${prompt}`;
  });
  const environment = {
    ...process.env,
    ...emulator.env,
    RUNPOD_API_BASE_URL: new URL("/", emulator.graphqlUrl).origin,
    RUNPOD_ENDPOINT_BASE_URL: `${emulator.queueUrl}/v2`,
    RUNPOD_AI_API_KEY: emulator.env.RUNPOD_API_KEY,
  };
  const { stdout } = await promisify(execFile)(String(python), [join(__dirname, "sdk.py")], {
    env: environment,
  });
  const key = "ssh-ed25519 AAAA one@host";
  expect(JSON.parse(stdout)).toMatchObject({
    user: { id: emulator.service.userId, networkVolumes: [] },
    settings: { pubKey: key },
    gpu: { displayName: "L4", maxGpuCount: 8 },
    pods: ["cpu", "trainer"],
    pod: {
      ports: "8888/http,22/tcp",
      volumeInGb: 20,
      env: expect.arrayContaining(["MODE=fast", `PUBLIC_KEY=${key}`]),
    },
    stopped: "EXITED",
    resumed: "RUNNING",
    left: [],
    gone: null,
    refusal: "pod not found to terminate",
    made: { name: "llm", workersMin: 1, allowedCudaVersions: "12.6,12.8", flashBootType: "FLASHBOOT" },
    endpoints: [{ name: "llm", version: 2, type: "QB" }],
    output: "You said Hello",
    status: "COMPLETED",
    sync: "You said Hello",
    stream: ["one", "two"],
    cancelled: "CANCELLED",
    health: { jobs: { completed: 3 } },
    purged: { status: "completed" },
    asyncio: "You said Hello",
  });
  expect(emulator.service.snapshot()).toMatchObject({
    pods: [],
    registries: [],
    templates: [{ name: "one", registry: null, env: { LEVEL: "info" } }, { name: "two" }],
    endpoints: [{ image: "org/two:1", gpu: { allowedCudaVersions: ["12.6", "12.8"] } }],
  });
});
