import { type EngineLog, logTo } from "../../provider/engine/log";
import { create, provider, runs } from "./process";

const told: string[] = [];
class LogRequest {
  setSeverity() {}
  setUrn() {}
  setEphemeral() {}
  setMessage(message: string) {
    told.push(message);
  }
}
const engine: EngineLog = { client: { log: (_request, done) => done() }, LogRequest, LogSeverity: {} };

test.each([
  ["up --yes", false],
  ["up --yes --debug", true],
  ["up -yd", true],
  [undefined, true],
])("`pulumi %s` has requests told to the engine: %s", async (line, expected) => {
  runs(line);
  logTo(engine);
  told.length = 0;
  await create(provider().networkVolume, "networkVolume");
  const requests = told.filter((message) => message.startsWith("podlumi: POST /network-volumes: 201"));
  expect(requests).toHaveLength(expected ? 1 : 0);
});
