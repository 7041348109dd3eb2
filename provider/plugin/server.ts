import type {
  ServerUnaryCall,
  ServerWritableStream,
  sendUnaryData,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import plugins from "@pulumi/pulumi/proto/plugin_pb";
import protocol from "@pulumi/pulumi/proto/provider_pb";
import { Message } from "google-protobuf";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Run } from "../core/call/run";
import type { Properties } from "../value";
import { checkConfig } from "./configuration";
import { Face } from "./face";
import { invoke } from "./invoke";
import {
  changes,
  checked,
  detailed,
  message,
  type ObjectRequest,
  type ResourceRequest,
  statusOf,
  type Values,
} from "./messages";
import type { VerbError } from "./secrets";

export interface Package {
  readonly version: string;
  /** JSON. */
  schema(): string;
}

/** The engine's protocol of resource providers: the values of its requests go to a face, and what that returns becomes its responses. */
export function service(run: Run, { version, schema }: Package): UntypedServiceImplementation {
  const face = new Face(run);
  const features = { supportsAutonamingConfiguration: true };
  return {
    handshake: answering(protocol.ProviderHandshakeResponse, () => ({ ...features, acceptSecrets: true })),
    getPluginInfo: answering(plugins.PluginInfo, () => ({ version })),
    attach: answering(Empty, () => ({})),
    getSchema: answering(protocol.GetSchemaResponse, () => ({ schema: schema() })),
    cancel: answering(Empty, () => {
      run.cancel();
      return {};
    }),

    checkConfig: answering(protocol.CheckResponse, ({ news = {} }: { news?: Properties }) => {
      const { inputs, failures } = checkConfig(news);
      return checked(inputs, failures);
    }),
    diffConfig: answering(protocol.DiffResponse, ({ oldInputs = {}, news = {} }: ResourceRequest) => {
      // A new key or address changes the provider, and none of its resources.
      const isSame = JSON.stringify(oldInputs) === JSON.stringify(news);
      return { changes: isSame ? changes.DIFF_NONE : changes.DIFF_SOME };
    }),
    configure: answering(
      protocol.ConfigureResponse,
      ({ id, args = {} }: { id?: string; args?: Properties }) => {
        // An engine without ids sends an empty text, and marks with it would be those of every such stack.
        face.configure(id || undefined, args);
        return { ...features, acceptsecrets: true, supportspreview: true };
      },
    ),

    check: answering(protocol.CheckResponse, async (request: ResourceRequest) => {
      const { inputs, failures } = await face.of(request).check(request);
      return checked(inputs, failures);
    }),
    diff: answering(protocol.DiffResponse, async (request: ObjectRequest) =>
      detailed(await face.of(request).diff(request)),
    ),
    create: answering(protocol.CreateResponse, (request: ResourceRequest) =>
      face.of(request).create(request),
    ),
    // The engine sends no properties with an import.
    read: answering(protocol.ReadResponse, (request: ObjectRequest) =>
      request.properties === undefined ? face.of(request).import(request) : face.of(request).read(request),
    ),
    update: answering(protocol.UpdateResponse, (request: ObjectRequest) => face.of(request).update(request)),
    delete: answering(Empty, async (request: ObjectRequest) => {
      await face.of(request).delete(request);
      return {};
    }),

    list: streaming(async function* ({ token, limit }: { token: string; limit: number }) {
      const all = await face.ofType(token).list();
      // All objects come in one call, so no response needs a token for more.
      for (const object of all.slice(0, limit || all.length))
        yield message(protocol.ListResponse, { result: message(protocol.ListResponse.Result, object) });
    }),
    invoke: answering(protocol.InvokeResponse, async (request: { tok: string; args?: Properties }) => ({
      return: await invoke(run, request.tok, request.args ?? {}),
    })),
  };
}

/** `act` gets the values of the request, and returns those of the response, or a response. A failure becomes a status. */
function answering<Request, Response extends Message>(
  type: new () => Response,
  act: (request: Request) => Answer<Response> | Promise<Answer<Response>>,
) {
  return async ({ request }: ServerUnaryCall<Message, Response>, respond: sendUnaryData<Response>) => {
    try {
      const answer = await act(request.toObject() as Request);
      respond(null, isMessage(answer) ? answer : message(type, answer));
    } catch (error) {
      respond(statusOf(error as VerbError));
    }
  };
}

type Answer<Response> = Values<Response> | Response;

function isMessage<Response extends Message>(answer: Answer<Response>): answer is Response {
  return answer instanceof Message;
}

/** For a request with several responses. */
function streaming<Request, Response>(act: (request: Request) => AsyncIterable<Response>) {
  return async (call: ServerWritableStream<Message, Response>): Promise<void> => {
    try {
      for await (const response of act(call.request.toObject() as Request)) call.write(response);
      call.end();
    } catch (error) {
      call.emit("error", statusOf(error as VerbError));
    }
  };
}
