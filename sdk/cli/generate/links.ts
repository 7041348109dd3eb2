import type { KindName } from "../../../provider/resources";
import { referenceTo } from "../../../provider/resources/secret/outputs";
import { isRecord, mapped, type Properties } from "../../../provider/value";
import type { Declaration, Program } from "../program/program";
import type { Found } from "./observe";

/** An object that the program declares. */
export interface Target {
  readonly found: Pick<Found, "kind" | "id" | "name">;
  readonly declaration: Declaration;
}

/** The arguments, with references in place of the ids and names of declared objects. */
export function linked(args: Properties, program: Program, declared: readonly Target[]): Properties {
  const to = (
    kind: KindName,
    property: string,
    value: unknown,
    matches: (found: Target["found"]) => boolean,
  ) => {
    const target = declared.find(({ found }) => found.kind === kind && matches(found));
    if (target === undefined) return value;
    return program.reference(target.declaration, property, value);
  };
  const byId = (kind: KindName) => (id: unknown) => to(kind, "id", id, (found) => found.id === id);
  const secret = (value: unknown) =>
    to("Secret", "reference", value, ({ name }) => value === referenceTo(String(name)));
  const volume = byId("NetworkVolume");

  const links: Record<string, (value: unknown) => unknown> = {
    registry: byId("RegistryAuth"),
    templateId: byId("Template"),
    networkVolumes: (ids) => (ids as unknown[]).map(volume),
    globalVolumes: (ids) => (ids as unknown[]).map(byId("GlobalVolume")),
    mounts: (mounts) =>
      at(mounts, "network", (all) => (all as unknown[]).map((mount) => at(mount, "volumeId", volume))),
    env: (env) => mapped(env as Properties, secret),
  };
  return mapped(args, (value, name) => links[name]?.(value) ?? value);
}

/** An object with a changed value under a key, if it has the key. */
function at(object: unknown, key: string, change: (value: unknown) => unknown): unknown {
  return isRecord(object) && key in object ? { ...object, [key]: change(object[key]) } : object;
}
