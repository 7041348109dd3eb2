import { kindOfType, partsOfUrn } from "../identity";

/** The resource that has an object; undefined where none is known. */
export function ownerInWords(urn: string | undefined): string | undefined {
  return urn === undefined ? undefined : resourceInWords(urn);
}

/** A resource in words, from its URN: `Pod "web"`. */
export function resourceInWords(urn: unknown): string {
  const { type, name } = partsOfUrn(urn);
  return `${kindOfType(type) ?? type} "${name}"`;
}
