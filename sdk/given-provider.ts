import type * as pulumi from "@pulumi/pulumi";
import type { Provider } from "./provider";
import { handedOnAs, isDefaultProvider, isProviderOfPodlumi } from "./provider";
import { plainError } from "./stack-traces";

/** Which provider serves a class: the dynamic one, or the plugin `pulumi-resource-podlumi`. */
export type Face = "dynamic" | "plugin";

/** For each face, the package of its providers as the engine calls it, and the module that has its classes. */
const faces = {
  dynamic: { pkg: "pulumi-nodejs", module: "podlumi" },
  plugin: { pkg: "podlumi", module: "podlumi/plugin" },
};

/** The names that count more than any other in the option `providers`. */
const names = [faces.dynamic.pkg, faces.plugin.pkg, handedOnAs];

/** Providers and their names in the option `providers`. */
type Named = readonly (readonly [name: string, provider: pulumi.ProviderResource])[];

/** Properties of a resource that Pulumi's own declarations leave out. */
interface Parent {
  readonly __providers?: Readonly<Record<string, pulumi.ProviderResource>>;
  readonly __parentResource?: Parent;
}

/** A provider under this name is meant for podlumi's resources. */
type IsMeant = (name: string, provider: pulumi.ProviderResource) => boolean;

/**
 * The provider that the program gives to a resource, or to the nearest parent of it that has one for the class, under the name of either face
 * or any other name. Throws where none of them serves the class, or several do: the default one may be another account.
 */
export function givenProvider(
  kind: string,
  name: string,
  { provider, parent }: pulumi.CustomResourceOptions,
  face: Face,
): Provider | undefined {
  const { pkg, module } = faces[face];
  // Children of a resource inherit the default provider, too, which nobody has given. Dynamic providers of others stand under their package.
  const isMeant: IsMeant = (key, one) =>
    (isProviderOfPodlumi(one) || (isServing(one, pkg) && key !== faces.dynamic.pkg)) &&
    !isDefaultProvider(one);
  const given =
    provider === undefined ? handedOn(parent as Parent | undefined, isMeant) : [[["", provider]] as Named];
  const serving = given.map((level) => level.filter(([, one]) => isServing(one, pkg)));
  const nearest = serving.find((level) => level.length > 0) ?? [];
  const named = nearest.filter(([key]) => names.includes(key));
  const [own, ...more] = new Set((named.length > 0 ? named : nearest).map(([, one]) => one));
  if (more.length === 0 && (own !== undefined || given.flat().length === 0))
    return own as Provider | undefined;
  const reason =
    own === undefined
      ? `the class comes from "${module}", and its provider does not: import Provider from "${module}", too`
      : "several providers are handed on to it: give it one with the option provider";
  throw plainError(`cannot declare the ${kind} "${name}": ${reason} [PODLUMI-CONFIGURATION]`);
}

/**
 * The providers that a resource hands on, by the parents to which the program gave them, from the nearest one on. Pulumi's SDK keeps only the
 * nearest one of each name, and looks only under the name of a package.
 */
function handedOn(parent: Parent | undefined, isMeant: IsMeant): Named[] {
  const levels: Named[] = [];
  let left: Named = Object.entries(parent?.__providers ?? {}).filter(([name, one]) => isMeant(name, one));
  for (let at = parent; at !== undefined; at = at.__parentResource) {
    const above = at.__parentResource?.__providers ?? {};
    levels.push(left.filter(([name, one]) => above[name] !== one));
    left = left.filter(([name, one]) => above[name] === one);
  }
  return levels;
}

/** The engine has a provider for the package. Pulumi's own declarations leave the type out. */
const isServing = (provider: pulumi.ProviderResource, pkg: string) =>
  (provider as unknown as { __pulumiType: string }).__pulumiType === `pulumi:providers:${pkg}`;
