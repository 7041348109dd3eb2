import { Metadata, status } from "@grpc/grpc-js";
import type { CheckFailure } from "@pulumi/pulumi/dynamic";
import protocol from "@pulumi/pulumi/proto/provider_pb";
import statuses from "@pulumi/pulumi/proto/status_pb";
import { Message } from "google-protobuf";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Autonaming } from "../core/names/autonaming";
import { printed } from "../schema/failure";
import { isRecord, type Properties } from "../value";
import type { DetailedDifference, PathChange } from "./paths";
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

/** By the setters of a message, whose names follow from the protocol. */
type Values<Of> = {
  readonly [Setter in keyof Of as Setter extends `set${infer Name}`
    ? Uncapitalize<Name>
    : never]?: Of[Setter] extends (value: infer Value) => unknown ? Plain<Value> : never;
};

type Plain<Value> = [Value] extends [Struct | undefined] ? Properties | undefined : Value;

export function message<Of extends Message>(type: new () => Of, values: Values<Of>): Of {
  const made = new type();
  const setters = made as unknown as Record<string, (value: unknown) => unknown>;
  for (const [name, value] of Object.entries(values)) {
    const isPlain = isRecord(value) && !(value instanceof Message);
    setters[`set${name.charAt(0).toUpperCase()}${name.slice(1)}`]?.(isPlain ? toStruct(value) : value);
  }
  return made;
}

export const changes = protocol.DiffResponse.DiffChanges;
const kinds = protocol.PropertyDiff.Kind;

export function statusOf({ message: text, id, properties = {}, reasons = [] }: VerbError) {
  const metadata = new Metadata();
  if (id !== undefined) {
    const detail = new Any();
    const failed = message(protocol.ErrorResourceInitFailed, { id, properties, reasonsList: reasons });
    detail.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const details = message(statuses.Status, { code: status.UNKNOWN, message: text, detailsList: [detail] });
    // gRPC's key for details of a status. Its library for Node.js has no constant for it.
    metadata.add("grpc-status-details-bin", Buffer.from(details.serializeBinary()));
  }
  return { code: status.UNKNOWN, message: text, details: text, metadata };
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
  const failuresList = failures.map((failure) => message(protocol.CheckFailure, printed(failure)));
  return message(protocol.CheckResponse, { inputs, failuresList });
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
