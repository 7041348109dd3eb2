/**
 * podlumi/v1: converts bodies and responses of the retired REST v1 to arguments of podlumi's resources.
 *
 * All functions are pure: they send no requests. They drop nothing without a note.
 *
 * @packageDocumentation
 */
import type { NetworkVolumeArgs } from "../network-volume";
import type { PodArgs } from "../pod";
import type { RegistryAuthArgs } from "../registry-auth";
import type { ServerlessEndpointArgs } from "../serverless-endpoint";
import type { TemplateArgs } from "../template";
import type { Mapping } from "./mapping";
import { networkVolume } from "./network-volume";
import type { Body, Conversion } from "./note";
import { isBody } from "./note";
import { pod } from "./pod";
import { registryAuth } from "./registry-auth";
import { serverlessEndpoint } from "./serverless-endpoint";
import { template } from "./template";

export type { Body, Conversion, Note, NoteKind } from "./note";

/** The arguments of each kind of resource that REST v1 had. The keys are the names of podlumi's classes. */
export interface ArgsOf {
  NetworkVolume: NetworkVolumeArgs;
  Pod: PodArgs;
  RegistryAuth: RegistryAuthArgs;
  ServerlessEndpoint: ServerlessEndpointArgs;
  Template: TemplateArgs;
}

export type Kind = keyof ArgsOf;

const mappings: { readonly [K in Kind]: Mapping<ArgsOf[K]> } = {
  NetworkVolume: networkVolume,
  Pod: pod,
  RegistryAuth: registryAuth,
  ServerlessEndpoint: serverlessEndpoint,
  Template: template,
};

/** Every kind of resource that REST v1 had. */
export const kinds = Object.keys(mappings) as Kind[];

/**
 * Converts a body or a response of REST v1. Other spellings work too: keys as Terraform writes them (`image_name`),
 * lists as one string with commas, variables as a list of `KEY=value`.
 *
 * `args` holds secrets when the body does. `notes` never show a value that may be secret.
 *
 * @throws TypeError when the body is not a JSON object.
 * @example
 * ```ts
 * import * as podlumi from "podlumi";
 * import { convert } from "podlumi/v1";
 *
 * const { args, notes } = convert("Pod", {
 *   name: "trainer",
 *   imageName: "runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404",
 *   gpuTypeIds: ["NVIDIA GeForce RTX 4090", "NVIDIA RTX A5000"],
 *   volumeInGb: 50,
 * });
 * for (const { kind, path, text } of notes) if (kind !== "omitted") console.warn(`${kind}: ${path} ${text}`);
 * new podlumi.Pod("trainer", args);
 * ```
 */
export function convert<K extends Kind>(kind: K, body: unknown): Conversion<ArgsOf[K]> {
  if (!isBody(body))
    throw new TypeError(`The body of a ${kind} in REST v1 is a JSON object, not ${shape(body)}`);
  return mappings[kind].convert(body);
}

/**
 * Converts a listing of REST v1: an array of responses of one kind.
 *
 * @throws TypeError when the listing is not an array of JSON objects.
 */
export function convertListing<K extends Kind>(kind: K, listing: unknown): Conversion<ArgsOf[K]>[] {
  if (!Array.isArray(listing)) {
    throw new TypeError(`A listing of REST v1 is an array of JSON objects, not ${shape(listing)}`);
  }
  return listing.map((body) => convert(kind, body));
}

/**
 * Tells the kind of a body, or of a listing of one kind, by its keys. Keys that no kind has are ignored. The result is
 * the only kind that has all other keys. Undefined when no kind has them all, or several do: `{ id, name }` fits every
 * kind.
 */
export function kindOf(body: unknown): Kind | undefined {
  const bodies: Body[] = (Array.isArray(body) ? body : [body]).filter(isBody);
  const keys = bodies
    .flatMap((one) => Object.keys(one))
    .filter((key) => kinds.some((kind) => mappings[kind].has(key)));
  const [kind, another] = kinds.filter((one) => keys.every((key) => mappings[one].has(key)));
  return another === undefined ? kind : undefined;
}

function shape(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
