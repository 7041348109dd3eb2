import type {
  ServerUnaryCall,
  ServerWritableStream,
  sendUnaryData,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import plugins from "@pulumi/pulumi/proto/plugin_pb";
import protocol from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { checkConfig } from "./configuration";
import type { Face } from "./face";
import {
  changeIn,
  changes,
  checked,
  detailed,
  executionOf,
  existingIn,
  message,
  namingOf,
  statusOf,
  timeoutOf,
} from "./messages";
import type { VerbError } from "./secrets";
import { fromStruct, toStruct } from "./struct";

export interface Package {
  readonly version: string;
  /** JSON. */
  schema(): string;
}

/** The engine's protocol of resource providers, in front of a face. */
export function service(face: Face, about: Package, cancel: () => void): UntypedServiceImplementation {
  return {
    ...ofPlugin(about, cancel),
    ...ofProvider(face),
    ...ofResources(face),
    ...ofLooks(face),
  };
}

function ofPlugin({ version, schema }: Package, cancel: () => void): UntypedServiceImplementation {
  return {
    handshake: answering(() =>
      message(protocol.ProviderHandshakeResponse, {
        acceptSecrets: true,
        supportsAutonamingConfiguration: true,
      }),
    ),
    getPluginInfo: answering(() => message(plugins.PluginInfo, { version })),
    attach: answering(() => new Empty()),
    getSchema: answering(() => message(protocol.GetSchemaResponse, { schema: schema() })),
    cancel: answering(() => {
      cancel();
      return new Empty();
    }),
  };
}

function ofProvider(face: Face): UntypedServiceImplementation {
  return {
    checkConfig: answering((request: protocol.CheckRequest) => {
      const { inputs, failures } = checkConfig(fromStruct(request.getNews()));
      return checked(inputs, failures);
    }),
    diffConfig: answering((request: protocol.DiffRequest) => {
      // A new key or address changes the provider, and none of its resources.
      const same =
        JSON.stringify(fromStruct(request.getOldInputs())) === JSON.stringify(fromStruct(request.getNews()));
      return message(protocol.DiffResponse, { changes: same ? changes.DIFF_NONE : changes.DIFF_SOME });
    }),
    configure: answering((request: protocol.ConfigureRequest) => {
      // An engine without ids sends an empty text, and marks with it would be those of every such stack.
      face.configure(request.getId() || undefined, fromStruct(request.getArgs()));
      return message(protocol.ConfigureResponse, {
        acceptsecrets: true,
        supportspreview: true,
        supportsAutonamingConfiguration: true,
      });
    }),
  };
}

function ofResources(face: Face): UntypedServiceImplementation {
  return {
    check: answering(async (request: protocol.CheckRequest) => {
      const olds = request.hasOlds() ? fromStruct(request.getOlds()) : {};
      const known = Object.keys(olds).length === 0 ? undefined : olds;
      const news = fromStruct(request.getNews());
      const naming = namingOf(request.getAutonaming());
      const { inputs, failures } = await face.check(request.getUrn(), known, news, naming);
      return checked(inputs, failures);
    }),
    diff: answering(async (request: protocol.DiffRequest) => detailed(await face.diff(changeIn(request)))),
    create: answering(async (request: protocol.CreateRequest) => {
      const news = fromStruct(request.getProperties());
      const { id, properties } = await face.create(request.getUrn(), news, executionOf(request));
      return message(protocol.CreateResponse, { id, properties: toStruct(properties) });
    }),
    read: answering(async (request: protocol.ReadRequest) => {
      // The engine sends no properties with an import.
      const object = request.hasProperties()
        ? await face.read(existingIn(request), fromStruct(request.getInputs()))
        : await face.import(request.getUrn(), request.getId());
      if (object === undefined) return new protocol.ReadResponse();
      const [properties, inputs] = [toStruct(object.properties), toStruct(object.inputs)];
      return message(protocol.ReadResponse, { id: object.id, properties, inputs });
    }),
    update: answering(async (request: protocol.UpdateRequest) => {
      const properties = await face.update(changeIn(request), executionOf(request));
      return message(protocol.UpdateResponse, { properties: toStruct(properties) });
    }),
    delete: answering(async (request: protocol.DeleteRequest) => {
      await face.delete(existingIn(request), timeoutOf(request));
      return new Empty();
    }),
  };
}

/** The requests that change nothing: the list of a kind, and functions. */
function ofLooks(face: Face): UntypedServiceImplementation {
  return {
    list: streaming(async function* (request: protocol.ListRequest) {
      const all = await face.list(request.getToken());
      // All objects come in one call, so no response needs a token for more.
      for (const object of all.slice(0, request.getLimit() || all.length))
        yield message(protocol.ListResponse, { result: message(protocol.ListResponse.Result, object) });
    }),
    invoke: answering(async (request: protocol.InvokeRequest) => {
      const answer = await face.invoke(request.getTok(), fromStruct(request.getArgs()));
      return message(protocol.InvokeResponse, { return: toStruct(answer) });
    }),
  };
}

/** A failure becomes a status, with its object where there is one. */
function answering<Request, Response>(act: (request: Request) => Response | Promise<Response>) {
  return async (
    { request }: ServerUnaryCall<Request, Response>,
    respond: sendUnaryData<Response>,
  ): Promise<void> => {
    try {
      respond(null, await act(request));
    } catch (error) {
      respond(statusOf(error as VerbError));
    }
  };
}

/** For a request with several responses. */
function streaming<Request, Response>(act: (request: Request) => AsyncIterable<Response>) {
  return async (call: ServerWritableStream<Request, Response>): Promise<void> => {
    try {
      for await (const response of act(call.request)) call.write(response);
      call.end();
    } catch (error) {
      call.emit("error", statusOf(error as VerbError));
    }
  };
}
