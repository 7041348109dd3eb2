import { Metadata, status } from "@grpc/grpc-js";
import type { CheckFailure } from "@pulumi/pulumi/dynamic";
import protocol from "@pulumi/pulumi/proto/provider_pb";
import statuses from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import type { Autonaming } from "../core/names/autonaming";
import { printed } from "../schema/failure";
import type { Properties } from "../value";
import type { DetailedDifference, PathChange } from "./paths";
import type { VerbError } from "./secrets";
import { fromStruct, toStruct } from "./struct";

/** By the setters of a message, whose names follow from the protocol. */
type Values<Message> = {
  readonly [Setter in keyof Message as Setter extends `set${infer Name}`
    ? Uncapitalize<Name>
    : never]?: Message[Setter] extends (value: infer Value) => unknown ? Value : never;
};

export function message<Message extends object>(type: new () => Message, values: Values<Message>): Message {
  const made = new type();
  const setters = made as Record<string, (value: unknown) => unknown>;
  for (const [name, value] of Object.entries(values))
    setters[`set${name.charAt(0).toUpperCase()}${name.slice(1)}`]?.(value);
  return made;
}

/** A resource with an object. `state` has the outputs. */
export function existingIn(request: protocol.ReadRequest | protocol.DeleteRequest) {
  return { urn: request.getUrn(), id: request.getId(), state: fromStruct(request.getProperties()) };
}

/** With the inputs in the state and in the program. */
export function changeIn(request: protocol.DiffRequest | protocol.UpdateRequest) {
  return {
    urn: request.getUrn(),
    id: request.getId(),
    state: fromStruct(request.getOlds()),
    oldInputs: fromStruct(request.getOldInputs()),
    news: fromStruct(request.getNews()),
  };
}

export function executionOf(request: protocol.CreateRequest | protocol.UpdateRequest) {
  return { preview: request.getPreview(), timeout: timeoutOf(request) };
}

/** Seconds of `customTimeouts`; undefined where the program sets none. */
export function timeoutOf(request: { getTimeout(): number }): number | undefined {
  return request.getTimeout() || undefined;
}

export const changes = protocol.DiffResponse.DiffChanges;
const kinds = protocol.PropertyDiff.Kind;

export function statusOf({ message: text, id, properties = {}, reasons = [] }: VerbError) {
  const metadata = new Metadata();
  if (id !== undefined) {
    const values = { id, properties: toStruct(properties), reasonsList: reasons };
    const detail = new Any();
    const failed = message(protocol.ErrorResourceInitFailed, values);
    detail.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const details = message(statuses.Status, { code: status.UNKNOWN, message: text, detailsList: [detail] });
    // gRPC's key for details of a status. Its library for Node.js has no constant for it.
    metadata.add("grpc-status-details-bin", Buffer.from(details.serializeBinary()));
  }
  return { code: status.UNKNOWN, message: text, details: text, metadata };
}

const modes = protocol.CheckRequest.AutonamingOptions.Mode;

/** The engine sends it only where the user has configured autonaming. */
export function namingOf(
  options: protocol.CheckRequest.AutonamingOptions | undefined,
): Autonaming | undefined {
  const mode = options?.getMode();
  if (mode === modes.DISABLE) return { mode: "disabled" };
  const isProposed = mode === modes.PROPOSE || mode === modes.ENFORCE;
  return isProposed && options ? { mode: "default", proposed: options.getProposedName() } : undefined;
}

export function checked(inputs: Properties, failures: readonly CheckFailure[]): protocol.CheckResponse {
  const failuresList = failures.map(printed).map((failure) => message(protocol.CheckFailure, failure));
  return message(protocol.CheckResponse, { inputs: toStruct(inputs), failuresList });
}

export function detailed(difference: DetailedDifference): protocol.DiffResponse {
  const response = message(protocol.DiffResponse, {
    changes: difference.changes ? changes.DIFF_SOME : changes.DIFF_NONE,
    replacesList: [...difference.replaces],
    deletebeforereplace: difference.deleteBeforeReplace,
    hasdetaileddiff: difference.paths.size > 0,
  });
  for (const [path, change] of difference.paths) {
    const isReplacing = difference.replaces.includes(/^[^.[]*/.exec(path)?.[0] ?? path);
    const name = change.toUpperCase() as Uppercase<PathChange>;
    const kind = kinds[isReplacing ? (`${name}_REPLACE` as const) : name];
    response.getDetaileddiffMap().set(path, message(protocol.PropertyDiff, { kind }));
  }
  return response;
}
