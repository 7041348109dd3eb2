import { createRequire } from "node:module";
import type { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type engine from "@pulumi/pulumi/proto/engine_pb";

/** The severity of a message, by the engine's own names. */
export type Severity = "INFO" | "WARNING";

/** A client of the engine, and its types of messages. */
export interface EngineLog extends Pick<typeof engine, "LogRequest" | "LogSeverity"> {
  readonly client: EngineClient;
}

/** States of a connection, by their numbers in gRPC. */
const states = { ready: 2, failed: 3, closed: 4 };

/** The engine that this process serves. */
export class Engine {
  /** Messages that it has not confirmed yet. */
  private readonly underWay = new Set<Promise<void>>();

  constructor(private readonly log: EngineLog) {}

  /** Sends a message. An ephemeral one shows in the status line of the resource. */
  send(urn: string, message: string, severity: Severity, ephemeral: boolean): void {
    const { client, LogRequest, LogSeverity } = this.log;
    const request = new LogRequest();
    request.setSeverity(LogSeverity[severity]);
    request.setUrn(urn);
    request.setMessage(message);
    request.setEphemeral(ephemeral);
    const heard = new Promise<void>((done) => client.log(request, () => done()));
    this.underWay.add(heard);
    void heard.then(() => this.underWay.delete(heard));
  }

  /** Resolves when it has received every message. */
  async flushed(): Promise<void> {
    await Promise.all(this.underWay);
  }

  /** Acts once when its connection is lost and cannot be made again: the engine has died, which sends no other sign. */
  whenItEnds(act: () => void): void {
    const channel = this.log.client.getChannel();
    let wasReady = false;
    const look = () => {
      const state = channel.getConnectivityState(true);
      const isLost = state === states.failed || state === states.closed;
      if (wasReady && isLost) act();
      else if (state !== states.closed) channel.watchConnectivityState(state, Number.POSITIVE_INFINITY, look);
      wasReady ||= state === states.ready;
    };
    look();
  }
}

/** The engine started this process for dynamic providers. */
export const isEnginesProcess = process.argv[1]?.includes("dynamic-provider") === true;

/** The engine passes its address to the host of dynamic providers, whose package has a client. Without it, messages go to stderr. */
export function engineOfDynamicHost(): Engine | undefined {
  try {
    const address = process.argv[2];
    if (!isEnginesProcess || address === undefined) return undefined;
    const ofPulumi = createRequire(require.resolve("@pulumi/pulumi"));
    const { EngineClient } = ofPulumi("@pulumi/pulumi/proto/engine_grpc_pb");
    const { LogRequest, LogSeverity } = ofPulumi("@pulumi/pulumi/proto/engine_pb");
    const { credentials } = ofPulumi("@grpc/grpc-js");
    // The engine is on this machine, so the proxy of the environment is not for it.
    const client = new EngineClient(address, credentials.createInsecure(), { "grpc.enable_http_proxy": 0 });
    return new Engine({ client, LogRequest, LogSeverity });
  } catch {
    return undefined;
  }
}
