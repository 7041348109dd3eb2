import { kindOfType, partsOfUrn } from "../identity";

/** A resource in words, from its URN: `Pod "web"`. */
export function resourceInWords(urn: unknown): string {
  const { type, name } = partsOfUrn(urn);
  return `${kindOfType(type) ?? type} "${name}"`;
}
