import { Metadata, status } from "@grpc/grpc-js";
import type { CheckFailure } from "@pulumi/pulumi/dynamic";
import protocol from "@pulumi/pulumi/proto/provider_pb";
import statuses from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import type { Autonaming } from "../core/names/autonaming";
import { printed } from "../schema/failure";
import type { Properties } from "../value";
import type { DetailedDifference } from "./face";
import type { VerbError } from "./secrets";
import { fromStruct, toStruct } from "./struct";

export function existingIn(request: protocol.ReadRequest | protocol.DeleteRequest) {
  return { urn: request.getUrn(), id: request.getId(), state: fromStruct(request.getProperties()) };
}

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

export function statusOf({ message, id, properties = {}, reasons = [] }: VerbError) {
  const metadata = new Metadata();
  if (id !== undefined) {
    const detail = new protocol.ErrorResourceInitFailed();
    detail.setId(id);
    detail.setProperties(toStruct(properties));
    detail.setReasonsList(reasons);
    const packed = new Any();
    packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const details = new statuses.Status();
    details.setCode(status.UNKNOWN);
    details.setMessage(message);
    details.addDetails(packed);
    // gRPC's key for details of a status. Its library for Node.js has no constant for it.
    metadata.add("grpc-status-details-bin", Buffer.from(details.serializeBinary()));
  }
  return { code: status.UNKNOWN, message, details: message, metadata };
}

const modes = protocol.CheckRequest.AutonamingOptions.Mode;

/** The engine sends it only where the user has configured autonaming. */
export function namingOf(
  options: protocol.CheckRequest.AutonamingOptions | undefined,
): Autonaming | undefined {
  switch (options?.getMode()) {
    case modes.PROPOSE:
    case modes.ENFORCE:
      return { mode: "default", proposed: options.getProposedName() };
    case modes.DISABLE:
      return { mode: "disabled" };
    default:
      return undefined;
  }
}

export function checked(inputs: Properties, failures: readonly CheckFailure[]): protocol.CheckResponse {
  const response = new protocol.CheckResponse();
  response.setInputs(toStruct(inputs));
  for (const { property, reason } of failures.map(printed)) {
    const failure = new protocol.CheckFailure();
    failure.setProperty(property);
    failure.setReason(reason);
    response.addFailures(failure);
  }
  return response;
}

export function detailed(difference: DetailedDifference): protocol.DiffResponse {
  const response = new protocol.DiffResponse();
  response.setChanges(difference.changes ? changes.DIFF_SOME : changes.DIFF_NONE);
  response.setReplacesList([...difference.replaces]);
  response.setDeletebeforereplace(difference.deleteBeforeReplace);
  response.setHasdetaileddiff(difference.paths.size > 0);
  for (const [path, change] of difference.paths) {
    const isReplacing = difference.replaces.includes(/^[^.[]*/.exec(path)?.[0] ?? path);
    const kind = {
      add: isReplacing ? kinds.ADD_REPLACE : kinds.ADD,
      delete: isReplacing ? kinds.DELETE_REPLACE : kinds.DELETE,
      update: isReplacing ? kinds.UPDATE_REPLACE : kinds.UPDATE,
    }[change];
    const property = new protocol.PropertyDiff();
    property.setKind(kind);
    response.getDetaileddiffMap().set(path, property);
  }
  return response;
}
