import { Metadata, status } from "@grpc/grpc-js";
import type { CheckFailure } from "@pulumi/pulumi/dynamic";
import protocol from "@pulumi/pulumi/proto/provider_pb";
import statuses from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import type { Autonaming } from "../core/call/autonaming";
import { printed } from "../schema/failure";
import type { Properties } from "../value";
import type { DetailedDifference } from "./paths";
import type { VerbError } from "./secrets";
import { toStruct } from "./struct";

/** A request of the engine about a resource, by the names of the protocol. Each verb's has some of these values. */
export interface ResourceRequest {
  readonly urn: string;
  /** The inputs of the program. */
  readonly news?: Properties;
  /** Before: the inputs in a check, otherwise the outputs. */
  readonly olds?: Properties;
  readonly oldInputs?: Properties;
  /** The inputs in a create, otherwise the outputs. */
  readonly properties?: Properties;
  readonly autonaming?: protocol.CheckRequest.AutonamingOptions.AsObject;
  readonly preview?: boolean;
  /** Seconds of `customTimeouts`; 0 where the program sets none. */
  readonly timeout?: number;
}

/** A request about a resource that has an object. */
export interface ObjectRequest extends ResourceRequest {
  readonly id: string;
  /** The inputs in the state, in a read. */
  readonly inputs?: Properties;
}

export const changes = protocol.DiffResponse.DiffChanges;
const kinds = protocol.PropertyDiff.Kind;

export function statusOf({ message, id, properties = {}, reasons = [] }: VerbError) {
  const metadata = new Metadata();
  if (id !== undefined) {
    const failed = new protocol.ErrorResourceInitFailed()
      .setId(id)
      .setProperties(toStruct(properties))
      .setReasonsList(reasons);
    const detail = new Any();
    detail.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const details = new statuses.Status()
      .setCode(status.UNKNOWN)
      .setMessage(message)
      .setDetailsList([detail]);
    // gRPC's key for details of a status. Its library for Node.js has no constant for it.
    metadata.add("grpc-status-details-bin", Buffer.from(details.serializeBinary()));
  }
  return { code: status.UNKNOWN, message, details: message, metadata };
}

/** The checked inputs of a resource or a provider. */
export interface Checked {
  readonly inputs: Properties;
  readonly failures: readonly CheckFailure[];
}

const modes = protocol.CheckRequest.AutonamingOptions.Mode;

/** The engine sends it only where the user has configured autonaming. */
export function namingOf({ autonaming }: ResourceRequest): Autonaming | undefined {
  const { mode, proposedName } = autonaming ?? {};
  if (mode === modes.DISABLE) return { mode: "disabled" };
  const isProposed = mode === modes.PROPOSE || mode === modes.ENFORCE;
  return isProposed ? { mode: "default", proposed: proposedName } : undefined;
}

export function checked({ inputs, failures }: Checked): protocol.CheckResponse {
  const reasons = failures.map((failure) => new protocol.CheckFailure().setReason(printed(failure).reason));
  return new protocol.CheckResponse().setInputs(toStruct(inputs)).setFailuresList(reasons);
}

export function detailed(difference: DetailedDifference): protocol.DiffResponse {
  const response = new protocol.DiffResponse()
    .setChanges(difference.changes ? changes.DIFF_SOME : changes.DIFF_NONE)
    .setReplacesList([...difference.replaces])
    .setDeletebeforereplace(difference.deleteBeforeReplace)
    .setHasdetaileddiff(difference.paths.size > 0);
  for (const [path, change] of difference.paths) {
    const isReplacing = difference.replaces.includes(/^[^.[]*/.exec(path)?.[0] ?? path);
    const kind = kinds[isReplacing ? (`${change}_REPLACE` as const) : change];
    response.getDetaileddiffMap().set(path, new protocol.PropertyDiff().setKind(kind));
  }
  return response;
}
