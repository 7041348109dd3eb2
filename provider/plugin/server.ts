import type {
  ServerUnaryCall,
  ServerWritableStream,
  sendUnaryData,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import plugins from "@pulumi/pulumi/proto/plugin_pb";
import protocol from "@pulumi/pulumi/proto/provider_pb";
import type { Message } from "google-protobuf";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { withCode } from "../codes";
import { configOf } from "../config";
import type { Run } from "../core/call/run";
import { unwrapped } from "../core/state/secret-value";
import { didYouMean } from "../did-you-mean";
import { kindOfType, partsOfUrn } from "../identity";
import { definitions } from "../resources";
import type { Properties } from "../value";
import { servesAnother } from "../words/plugin";
import { checkConfig } from "./configuration";
import { invoke } from "./invoke";
import { changes, checked, detailed, type ObjectRequest, type ResourceRequest, statusOf } from "./messages";
import type { VerbError } from "./secrets";
import { Served } from "./served";
import { toStruct } from "./struct";

/**
 * The engine's protocol of resource providers: the values of its requests go to a kind, and what that returns becomes its responses.
 * `schema` reads that of the package, as JSON.
 */
export function service(run: Run, version: string, schema: () => string): UntypedServiceImplementation {
  /** The provider resource that this process serves, by whose id marks tell stacks apart. */
  let provider: { readonly id: string | undefined } | undefined;
  const kinds = new Map(
    Object.entries(definitions).map(([name, kind]) => [name, new Served(kind, run, () => provider?.id)]),
  );
  const ofType = (type: string): Served => {
    const name = String(kindOfType(type));
    const known = kinds.get(name);
    if (known !== undefined) return known;
    const text = `podlumi has no resource of the type ${type}${didYouMean(name, [...kinds.keys()])}`;
    throw new Error(withCode(text, "PODLUMI-UNKNOWN-TYPE"));
  };
  const of = ({ urn }: ResourceRequest) => ofType(partsOfUrn(urn).type);
  return {
    handshake: answering(() =>
      new protocol.ProviderHandshakeResponse()
        .setAcceptSecrets(true)
        .setSupportsAutonamingConfiguration(true),
    ),
    getPluginInfo: answering(() => new plugins.PluginInfo().setVersion(version)),
    attach: answering(() => new Empty()),
    getSchema: answering(() => new protocol.GetSchemaResponse().setSchema(schema())),
    cancel: answering(() => {
      run.cancel();
      return new Empty();
    }),

    checkConfig: answering(({ news = {} }: { news?: Properties }) => checked(checkConfig(news))),
    diffConfig: answering(({ oldInputs = {}, news = {} }: ResourceRequest) => {
      // A new key or address changes the provider, and none of its resources.
      const isSame = JSON.stringify(oldInputs) === JSON.stringify(news);
      return new protocol.DiffResponse().setChanges(isSame ? changes.DIFF_NONE : changes.DIFF_SOME);
    }),
    configure: answering(({ id, args = {} }: { id?: string; args?: Properties }) => {
      // The engine starts a process for each provider resource, unless it uses one that runs already (`PULUMI_DEBUG_PROVIDERS`), whose
      // knowledge of accounts and states is of an earlier provider and command.
      if (provider !== undefined) throw new Error(withCode(servesAnother, "PODLUMI-CONFIGURATION"));
      // An engine without ids sends an empty text, and marks with it would be those of every such stack.
      provider = { id: id || undefined };
      const config = configOf(unwrapped(args));
      run.configure((key) => config[key]);
      return new protocol.ConfigureResponse()
        .setAcceptsecrets(true)
        .setSupportspreview(true)
        .setSupportsAutonamingConfiguration(true);
    }),

    check: answering(async (request: ResourceRequest) => checked(await of(request).check(request))),
    diff: answering(async (request: ObjectRequest) => detailed(await of(request).diff(request))),
    create: answering(async (request: ResourceRequest) => {
      const { id, properties } = await of(request).create(request);
      return new protocol.CreateResponse().setId(id).setProperties(toStruct(properties));
    }),
    read: answering(async (request: ObjectRequest) => {
      // The engine sends no properties with an import.
      const verb = request.properties === undefined ? "import" : "read";
      const found = await of(request)[verb](request);
      const response = new protocol.ReadResponse();
      if (found === undefined) return response;
      const { id, properties, inputs } = found;
      return response.setId(id).setProperties(toStruct(properties)).setInputs(toStruct(inputs));
    }),
    update: answering(async (request: ObjectRequest) =>
      new protocol.UpdateResponse().setProperties(toStruct(await of(request).update(request))),
    ),
    delete: answering(async (request: ObjectRequest) => {
      await of(request).delete(request);
      return new Empty();
    }),

    list: streaming(async function* ({ token, limit }: { token: string; limit: number }) {
      const all = await ofType(token).list();
      // All objects come in one call, so no response needs a token for more.
      for (const { id, name } of all.slice(0, limit || all.length))
        yield new protocol.ListResponse().setResult(
          new protocol.ListResponse.Result().setId(id).setName(name),
        );
    }),
    invoke: answering(async ({ tok, args = {} }: { tok: string; args?: Properties }) =>
      new protocol.InvokeResponse().setReturn(toStruct(await invoke(run, tok, args))),
    ),
  };
}

/** `act` makes the response from the values of the request. A failure becomes a status. */
function answering<Request, Response>(act: (request: Request) => Response | Promise<Response>) {
  return async ({ request }: ServerUnaryCall<Message, Response>, respond: sendUnaryData<Response>) => {
    try {
      respond(null, await act(request.toObject() as Request));
    } catch (error) {
      respond(statusOf(error as VerbError));
    }
  };
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
