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
    handshake: answering(() => {
      const response = new protocol.ProviderHandshakeResponse();
      response.setAcceptSecrets(true);
      response.setSupportsAutonamingConfiguration(true);
      return response;
    }),
    getPluginInfo: answering(() => {
      const response = new plugins.PluginInfo();
      response.setVersion(version);
      return response;
    }),
    attach: answering(() => new Empty()),
    getSchema: answering(() => {
      const response = new protocol.GetSchemaResponse();
      response.setSchema(schema());
      return response;
    }),
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
      const response = new protocol.DiffResponse();
      response.setChanges(same ? changes.DIFF_NONE : changes.DIFF_SOME);
      return response;
    }),
    configure: answering((request: protocol.ConfigureRequest) => {
      // An engine without ids sends an empty text, and marks with it would be those of every such stack.
      face.configure(request.getId() || undefined, fromStruct(request.getArgs()));
      const response = new protocol.ConfigureResponse();
      response.setAcceptsecrets(true);
      response.setSupportspreview(true);
      response.setSupportsAutonamingConfiguration(true);
      return response;
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
      const created = await face.create(request.getUrn(), news, executionOf(request));
      const response = new protocol.CreateResponse();
      response.setId(created.id);
      response.setProperties(toStruct(created.properties));
      return response;
    }),
    read: answering(async (request: protocol.ReadRequest) => {
      // The engine sends no properties with an import.
      const object = request.hasProperties()
        ? await face.read(existingIn(request), fromStruct(request.getInputs()))
        : await face.import(request.getUrn(), request.getId());
      const response = new protocol.ReadResponse();
      if (object === undefined) return response;
      response.setId(object.id);
      response.setProperties(toStruct(object.properties));
      response.setInputs(toStruct(object.inputs));
      return response;
    }),
    update: answering(async (request: protocol.UpdateRequest) => {
      const properties = await face.update(changeIn(request), executionOf(request));
      const response = new protocol.UpdateResponse();
      response.setProperties(toStruct(properties));
      return response;
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
      for (const { id, name } of all.slice(0, request.getLimit() || all.length)) {
        const result = new protocol.ListResponse.Result();
        result.setId(id);
        result.setName(name);
        const response = new protocol.ListResponse();
        response.setResult(result);
        yield response;
      }
    }),
    invoke: answering(async (request: protocol.InvokeRequest) => {
      const response = new protocol.InvokeResponse();
      response.setReturn(toStruct(await face.invoke(request.getTok(), fromStruct(request.getArgs()))));
      return response;
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
