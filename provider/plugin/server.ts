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
import { Served } from "./served";

export interface Package {
  readonly version: string;
  /** JSON. */
  schema(): string;
}

/** The engine's protocol of resource providers: the values of its requests go to a kind, and what that returns becomes its responses. */
export function service(run: Run, { version, schema }: Package): UntypedServiceImplementation {
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
        // The engine starts a process for each provider resource, unless it uses one that runs already (`PULUMI_DEBUG_PROVIDERS`), whose
        // knowledge of accounts and states is of an earlier provider and command.
        if (provider !== undefined) throw new Error(withCode(servesAnother, "PODLUMI-CONFIGURATION"));
        // An engine without ids sends an empty text, and marks with it would be those of every such stack.
        provider = { id: id || undefined };
        const config = configOf(unwrapped(args));
        run.configure((key) => config[key]);
        return { ...features, acceptsecrets: true, supportspreview: true };
      },
    ),

    check: answering(protocol.CheckResponse, async (request: ResourceRequest) => {
      const { inputs, failures } = await of(request).check(request);
      return checked(inputs, failures);
    }),
    diff: answering(protocol.DiffResponse, async (request: ObjectRequest) =>
      detailed(await of(request).diff(request)),
    ),
    create: answering(protocol.CreateResponse, (request: ResourceRequest) => of(request).create(request)),
    // The engine sends no properties with an import.
    read: answering(protocol.ReadResponse, (request: ObjectRequest) =>
      request.properties === undefined ? of(request).import(request) : of(request).read(request),
    ),
    update: answering(protocol.UpdateResponse, (request: ObjectRequest) => of(request).update(request)),
    delete: answering(Empty, async (request: ObjectRequest) => {
      await of(request).delete(request);
      return {};
    }),

    list: streaming(async function* ({ token, limit }: { token: string; limit: number }) {
      const all = await ofType(token).list();
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
