import { type EngineLog, logTo } from "../../provider/engine/log";
import { begin, havePending, provider, urnOf } from "./process";

test("a wait for what an interrupted run was making shows at one resource of a run", async () => {
  const shown = new Set<string>();
  class LogRequest {
    urn = "";
    text = "";
    setSeverity() {}
    setUrn(urn: string) {
      this.urn = urn;
    }
    setMessage(text: string) {
      this.text = text;
    }
    setEphemeral() {}
  }
  const client = {
    log({ urn, text }: LogRequest, done: () => void) {
      if (text.startsWith("waiting for what an interrupted run")) shown.add(urn);
      done();
    },
  };
  logTo({ client, LogRequest, LogSeverity: {} } as unknown as EngineLog);
  havePending(urnOf("pod", "gone"));
  const { pod } = provider();
  const urns = ["one", "two"].map((name) => urnOf("pod", name));
  await Promise.all(urns.map((__urn) => begin(pod, "pod", { __urn })));
  expect([...shown]).toEqual(urns.slice(0, 1));
});
