import { credentials, Server, ServerCredentials } from "@grpc/grpc-js";
import { EngineClient, EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import proto from "@pulumi/pulumi/proto/engine_pb";
import { Engine, type EngineLog } from "../../provider/engine/client";
import { clearStatus, debug, log, logTo, showRetry, showWaiting } from "../../provider/engine/log";

let told: { urn?: string; message?: string; ephemeral?: boolean }[];
class LogRequest {
  private readonly request: (typeof told)[number] = {};
  setSeverity() {}
  setUrn(urn: string) {
    told.push(this.request);
    this.request.urn = urn;
  }
  setEphemeral(ephemeral: boolean) {
    this.request.ephemeral = ephemeral;
  }
  setMessage(message: string) {
    this.request.message = message;
  }
}
const client = { log: (_request: unknown, done: () => void) => done() };
const engine = { client, LogRequest, LogSeverity: {} } as unknown as EngineLog;

const urn = "urn:pulumi:dev::project::pulumi-nodejs:dynamic/podlumi:Pod::web";

beforeEach(() => {
  told = [];
  logTo(engine);
});
afterEach(() => {
  delete process.env.PODLUMI_DEBUG;
});

test("a message of a resource begins with its name, because not each display of the engine shows whose it is", () => {
  log(urn, "it is odd", "WARNING");
  log(undefined, "it is odd");
  expect(told).toEqual([
    { urn, message: "web: it is odd", ephemeral: false },
    { urn: "", message: "it is odd", ephemeral: false },
  ]);
});

test.each([
  ["1", [{ urn, message: "podlumi: GET /pods: 200", ephemeral: false }]],
  [undefined, []],
])("with PODLUMI_DEBUG=%s the engine is told of requests: %j", (value, expected) => {
  if (value !== undefined) process.env.PODLUMI_DEBUG = value;
  debug("GET /pods: 200", urn);
  expect(told).toEqual(expected);
});

test("a wait shows in the status line of its resource, which is cleared only where it has a text", () => {
  clearStatus(urn);
  showWaiting(urn, "the pod to start", 1_999);
  showWaiting(undefined, "the pod to start", 3_000);
  expect(told).toEqual([]);
  showWaiting(urn, "the pod to start", 3_000);
  showRetry(urn, "POST /pods answered 429", 120_000, 4_000, 1_000);
  clearStatus(urn);
  clearStatus(urn);
  expect(told).toEqual([
    { urn, message: "waiting for the pod to start, 3 s", ephemeral: true },
    { urn, message: "POST /pods answered 429: retrying for up to 120 s, 4 s so far", ephemeral: true },
    { urn, message: "", ephemeral: true },
  ]);
});

test("the death of the engine shows in the connection to it, once that has been ready", async () => {
  const server = new Server();
  const unused = () => undefined;
  server.addService(EngineService, {
    log: unused,
    getRootResource: unused,
    setRootResource: unused,
    startDebugging: unused,
    requirePulumiVersion: unused,
  });
  const port = await new Promise<number>((bound, failed) => {
    const insecure = ServerCredentials.createInsecure();
    server.bindAsync("127.0.0.1:0", insecure, (error, port) => (error ? failed(error) : bound(port)));
  });
  const client = new EngineClient(`127.0.0.1:${port}`, credentials.createInsecure());
  const ending = new Engine({ client, LogRequest: proto.LogRequest, LogSeverity: proto.LogSeverity });
  const act = jest.fn();
  const ended = new Promise<void>((done) => ending.whenItEnds(() => done(act())));
  await new Promise((ready) => client.waitForReady(Date.now() + 5_000, ready));
  expect(act).not.toHaveBeenCalled();
  server.forceShutdown();
  await ended;
  client.close();
  expect(act).toHaveBeenCalledTimes(1);
});
