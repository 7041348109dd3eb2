// The types and the provider texts are part of every state file, so they never change.

const typePrefix = "pulumi-nodejs:dynamic/podlumi:";

const pluginTypePrefix = "podlumi:index:";

/** The type of a kind of the plugin, or the token of a function, as the engine calls it. */
export function pluginTokenOf(name: string): string {
  return `${pluginTypePrefix}${name}`;
}

/** The type of a kind of the dynamic provider, as the engine calls it. */
export function typeOf(kind: string): string {
  return `${typePrefix}${kind}`;
}

/** The kind of a resource from its type, or a function from its token; undefined for what is not podlumi's. */
export function kindOfType(type: string): string | undefined {
  const prefix = [typePrefix, pluginTypePrefix].find((start) => type.startsWith(start));
  return prefix === undefined ? undefined : type.slice(prefix.length);
}

export function kindOfUrn(urn: unknown): string | undefined {
  return kindOfType(partsOfUrn(urn).type);
}

/** `types` has the types of the resource's parents and its own, joined by `$`; `type` is its own. */
export function partsOfUrn(urn: unknown) {
  const [prefix = "", project = "", types = "", ...name] = String(urn).split("::");
  const type = types.slice(types.lastIndexOf("$") + 1);
  return { stack: prefix.slice("urn:pulumi:".length), project, types, type, name: name.join("::") };
}

/** The text that the engine evaluates to get the provider of a kind. */
export function providerOf(kind: string): string {
  return `exports.handler=()=>require("podlumi/provider").${kind}`;
}

/** The key by which Pulumi tells a wrapped or encrypted secret from a plain value. */
export const secretKey = "4dabf18193072939515e22adb298388d";

/** Copies of inputs that podlumi keeps in the state. They are secret as a whole, since any input can be. */
export const secretCopies = ["__asked"];
