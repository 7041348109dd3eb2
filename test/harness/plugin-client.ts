import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import {
  Client,
  credentials,
  type Metadata,
  Server,
  ServerCredentials,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import protocol from "@pulumi/pulumi/proto/provider_pb";
import statuses from "@pulumi/pulumi/proto/status_pb";
import type { Message } from "google-protobuf";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { fromStruct, toStruct } from "../../provider/plugin/struct";
import type { Properties } from "../../provider/value";
import { emptyBackend } from "./empty-stack";

/** A request of the engine's protocol of resource providers. */
export type Method = keyof typeof ResourceProviderService & string;

/** Sends a request, and returns the answer. Fails with a {@link Refusal}. */
export type Call = <Answer>(method: Method, request: Message) => Promise<Answer>;

/** An object as the state has it. */
export interface Entry {
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
}

/** The failure of a request. One with an id has left an object that is not ready. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly code: number,
    readonly id?: string,
    readonly properties?: Properties,
    readonly reasons?: readonly string[],
  ) {
    super(message);
  }
}

/** The plugin as the engine sees it: its protocol, with plain JSON in and out. Secrets stay wrapped. */
export class PluginClient {
  constructor(readonly call: Call) {}

  /** An engine of before 2025 tells no id. */
  configure(args: Properties, id?: string): Promise<protocol.ConfigureResponse> {
    const request = new protocol.ConfigureRequest().setArgs(toStruct(args));
    if (id !== undefined) request.setId(id);
    return this.call("configure", request.setAcceptsecrets(true).setSendsOldInputs(true));
  }

  async check(urn: string, olds: Properties | undefined, news: Properties) {
    const request = new protocol.CheckRequest().setUrn(urn).setNews(toStruct(news));
    const answer = await this.call<protocol.CheckResponse>("check", request.setOlds(olds && toStruct(olds)));
    return { inputs: fromStruct(answer.getInputs()), failures: answer.toObject().failuresList };
  }

  async diff(urn: string, { id, inputs, outputs }: Entry, news: Properties) {
    const request = new protocol.DiffRequest().setUrn(urn).setId(id).setOlds(toStruct(outputs));
    request.setOldInputs(toStruct(inputs)).setNews(toStruct(news));
    const answer = await this.call<protocol.DiffResponse>("diff", request);
    const { changes, replacesList, deletebeforereplace, detaileddiffMap } = answer.toObject();
    return {
      changes: changes === protocol.DiffResponse.DiffChanges.DIFF_SOME,
      replaces: replacesList,
      deleteBeforeReplace: deletebeforereplace,
      paths: detaileddiffMap.map(([path]) => path),
    };
  }

  async create(urn: string, inputs: Properties, { preview = false, timeout = 0 } = {}) {
    const request = new protocol.CreateRequest().setUrn(urn).setProperties(toStruct(inputs));
    const answer = await this.call<protocol.CreateResponse>(
      "create",
      request.setPreview(preview).setTimeout(timeout),
    );
    return { id: answer.getId(), outputs: fromStruct(answer.getProperties()) };
  }

  /** Without a state, as `pulumi import` asks. The id is empty when there is no such object. */
  async read(urn: string, id: string, state?: { inputs: Properties; outputs: Properties }): Promise<Entry> {
    const request = new protocol.ReadRequest().setUrn(urn).setId(id);
    if (state) request.setProperties(toStruct(state.outputs)).setInputs(toStruct(state.inputs));
    const answer = await this.call<protocol.ReadResponse>("read", request);
    return {
      id: answer.getId(),
      inputs: fromStruct(answer.getInputs()),
      outputs: fromStruct(answer.getProperties()),
    };
  }

  async update(urn: string, { id, inputs, outputs }: Entry, news: Properties, { preview = false } = {}) {
    const request = new protocol.UpdateRequest().setUrn(urn).setId(id).setOlds(toStruct(outputs));
    request.setOldInputs(toStruct(inputs)).setNews(toStruct(news)).setPreview(preview);
    const answer = await this.call<protocol.UpdateResponse>("update", request);
    return { outputs: fromStruct(answer.getProperties()) };
  }

  async delete(urn: string, { id, inputs, outputs }: Entry): Promise<void> {
    const request = new protocol.DeleteRequest().setUrn(urn).setId(id).setProperties(toStruct(outputs));
    await this.call("delete", request.setOldInputs(toStruct(inputs)));
  }
}

/** Calls the functions of a server in this process. Requests and answers travel as bytes, as on the wire. */
export function inProcess(service: UntypedServiceImplementation): Call {
  return (method, request) => {
    const { requestSerialize, requestDeserialize, responseSerialize, responseDeserialize } =
      ResourceProviderService[method] as unknown as Codec;
    return new Promise((done, failed) => {
      const answered = (error: ServerError | null, answer: Message) =>
        error ? failed(refusalOf(error)) : done(responseDeserialize(responseSerialize(answer)) as never);
      (service[method] as unknown as Handler)(
        { request: requestDeserialize(requestSerialize(request)) },
        answered,
      );
    });
  };
}

interface ServerError {
  readonly code: number;
  readonly details: string;
  readonly metadata: Metadata;
}

interface Codec {
  readonly path: string;
  requestSerialize(message: Message): Buffer;
  requestDeserialize(bytes: Buffer): Message;
  responseSerialize(message: Message): Buffer;
  responseDeserialize(bytes: Buffer): Message;
}

type Handler = (
  call: { request: Message },
  answered: (error: ServerError | null, answer: Message) => void,
) => void;

/** The failure in an answer of a server, with the object that it left. */
function refusalOf({ code, details, metadata }: ServerError): Refusal {
  const [bytes] = metadata.get("grpc-status-details-bin");
  if (!(bytes instanceof Uint8Array)) return new Refusal(details, code);
  const [packed] = statuses.Status.deserializeBinary(bytes).getDetailsList();
  const left = packed?.unpack(
    protocol.ErrorResourceInitFailed.deserializeBinary,
    "pulumirpc.ErrorResourceInitFailed",
  );
  return new Refusal(details, code, left?.getId(), fromStruct(left?.getProperties()), left?.getReasonsList());
}

/** The plugin's executable, as the engine starts it. */
export class PluginProcess {
  /** Everything that it printed after its port. */
  printed = "";

  private constructor(
    private readonly child: ChildProcess,
    private readonly connection: Client,
    readonly client: PluginClient,
    readonly port: number,
  ) {}

  /** `engine` is the address of the engine, which gets the plugin's messages. */
  static async start(env: Record<string, string>, engine?: string): Promise<PluginProcess> {
    const child = spawn(
      resolve("dist/plugin/pulumi-resource-podlumi"),
      engine === undefined ? [] : [engine],
      {
        env: { ...process.env, ...emptyBackend(), ...env },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    const port = await new Promise<string>((known, failed) => {
      let line = "";
      child.stdout.on("data", (text) => {
        line += text;
        if (line.includes("\n")) known(line.trim());
      });
      child.once("close", (code) => failed(new Error(`the plugin ended with ${code} and printed ${line}`)));
    });
    const connection = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
    const plugin = new PluginProcess(
      child,
      connection,
      new PluginClient(onTheWire(connection)),
      Number(port),
    );
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (plugin.printed += text));
    return plugin;
  }

  /** Ends it as the engine does at the end of a command. Resolves with its exit code. */
  async end(): Promise<number | null> {
    const ended = once(this.child, "close");
    this.child.kill("SIGINT");
    const [code] = await ended;
    this.connection.close();
    return code;
  }
}

function onTheWire(connection: Client): Call {
  return (method, request) => {
    const { path, requestSerialize, responseDeserialize } = ResourceProviderService[
      method
    ] as unknown as Codec;
    return new Promise((done, failed) => {
      connection.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, (error, answer) =>
        error ? failed(refusalOf(error)) : done(answer as never),
      );
    });
  };
}

/** Stands in for the engine that a plugin sends its messages to. */
export class EngineStandIn {
  readonly messages: string[] = [];
  private readonly server = new Server();
  address = "";

  static async start(): Promise<EngineStandIn> {
    const engine = new EngineStandIn();
    engine.server.addService(EngineService, {
      log: ({ request }: { request: LogRequest }, done: (error: null, answer: Empty) => void) => {
        engine.messages.push(request.getMessage());
        done(null, new Empty());
      },
    });
    const port = await new Promise<number>((bound, failed) =>
      engine.server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
        error ? failed(error) : bound(port),
      ),
    );
    engine.address = `127.0.0.1:${port}`;
    return engine;
  }

  end(): void {
    this.server.forceShutdown();
  }
}
