import type { Api } from "../../provider/client/api";
import { ExpectedError, errorText } from "../../provider/client/errors";
import type { Kind, ServiceObject } from "../../provider/core/kind";
import { isUnderItsName, markOf } from "../../provider/core/mark/carried";
import { stackDigits } from "../../provider/core/mark/mark";
import { definitions, type KindName } from "../../provider/resources";

/**
 * The acceptance has no state. Its objects carry the mark of this stack, which nobody else has, so that each run finds
 * what an earlier one left, from any machine. It never changes.
 */
export const stack = {
  project: "podlumi-acceptance",
  name: "acceptance",
  id: "0b5f4a52-6d0c-4c3e-9a76-51c6f0a0ac2e",
};

export const urnOf = (kind: KindName, name: string) =>
  `urn:pulumi:${stack.name}::${stack.project}::pulumi-nodejs:dynamic/podlumi:${kind}::${name}`;

/** What runs comes first, then what it uses. */
const kinds = ["Pod", "ServerlessEndpoint", "Template", "NetworkVolume", "RegistryAuth", "Secret"] as const;

/** Whether an object carries the mark of the acceptance, under the name that it was made with. */
function isOurs(kind: Kind, object: ServiceObject): boolean {
  const mark = markOf(kind, object);
  return mark?.digits.stack === stackDigits(stack.id) && isUnderItsName(mark, object);
}

/** What a sweep did. */
export interface Swept {
  readonly deleted: string[];
  /** Objects that are still there, or may be, and why. */
  readonly left: string[];
}

/** Deletes every object that carries the mark of the acceptance, and nothing else. */
export async function sweep(api: Api): Promise<Swept> {
  const swept: Swept = { deleted: [], left: [] };
  for (const name of kinds) {
    const kind: Kind = definitions[name];
    try {
      for (const object of (await kind.list(api)) ?? []) {
        if (!isOurs(kind, object)) continue;
        const title = `${kind.noun} ${String(object.name)} (${object.id})`;
        try {
          await kind.delete(api, object.id, object);
          swept.deleted.push(title);
        } catch (error) {
          if (!(error instanceof ExpectedError)) throw error;
          swept.left.push(`${title}: ${errorText(error)}`);
        }
      }
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error;
      swept.left.push(`every ${kind.noun}, because they cannot be listed: ${errorText(error)}`);
    }
  }
  return swept;
}
