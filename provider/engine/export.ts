import { kindOfType, partsOfUrn } from "../identity";

/** A resource in an exported state. */
interface Exported {
  readonly urn: string;
  readonly id?: string;
  readonly type: string;
  readonly external?: boolean;
  readonly parent?: string;
  readonly provider?: string;
  readonly inputs?: { readonly adopt?: unknown; readonly name?: unknown };
  readonly outputs?: { readonly __stack?: string; readonly __urn?: string; readonly __imported?: boolean };
  /** Its replacement is created; it is still to be deleted. */
  readonly delete?: boolean;
  readonly importID?: string;
  readonly taint?: boolean;
  readonly protect?: boolean;
  readonly retainOnDelete?: boolean;
  readonly replaceWith?: readonly string[];
  readonly replaceOnChanges?: readonly string[];
  readonly replacementTrigger?: unknown;
  /** Its object is deleted; its replacement is not created yet. */
  readonly pendingReplacement?: boolean;
}

/** The part of an export that matters here. */
interface Deployment {
  readonly manifest?: { readonly time?: string };
  readonly resources?: readonly Exported[];
  readonly pending_operations?: readonly { readonly resource: Exported; readonly type: string }[];
}

/** The object of a resource of podlumi, as the last run left it. */
export interface Stated {
  readonly urn: string;
  readonly id: string;
  /** Its secrets are encrypted. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Its secrets are encrypted. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** The next run replaces it (`pulumi state taint`). */
  readonly isTainted: boolean;
  /** It is deleted; its replacement is not created yet. */
  readonly isGone: boolean;
  /** A run is deleting it, to take it out of the state. */
  readonly isGoing: boolean;
  /** It stays when it leaves the program (`protect`, `retainOnDelete`). */
  readonly isKept: boolean;
  /** No deletion of the engine's deletes its object (`retainOnDelete`). */
  readonly isRetained: boolean;
  /** What it is replaced with (`replaceWith`), and whether the same provider serves that. */
  readonly replacedWith: readonly { readonly urn: string; readonly isNear: boolean }[];
  /** A change of its inputs may replace it (`replaceOnChanges`). */
  readonly isReplacedOnChanges: boolean;
  /** The URN of its parent. */
  readonly parent?: string | undefined;
  /** The id of the provider that served it last. */
  readonly servedBy: string | undefined;
  /** Its provider, where the program declares one, and whether an option may replace that. */
  readonly provider?:
    | { readonly urn: string; readonly id: string; readonly mayBeReplaced: boolean }
    | undefined;
}

/** A resource that a run is creating, or was creating when it was interrupted. */
export interface Pending {
  readonly urn: string;
  /** The id of its provider, under which its object is marked. */
  readonly marker: string | undefined;
  /** The name that it asked for. */
  readonly name: unknown;
  /** It adopts an object, and creates none. */
  readonly adopts: boolean;
}

/** A stack's state. */
export interface State {
  /** The stack, with its organization and project. */
  readonly name: string;
  /** The objects of its resources of podlumi. Not those that are replaced, and only still to be deleted. */
  readonly objects: readonly Stated[];
  /** Ids that replacements are still to delete, or were when they were interrupted. A resource may have adopted the same object again. */
  readonly leaving: ReadonlySet<string>;
  /** Ids of objects that are still to be deleted, since their resources got others, to import or to read. */
  readonly supplanted: ReadonlySet<string>;
  /** Those of them that have left the state already, since their resources read others: it has them only while they are deleted. */
  readonly dropped: ReadonlySet<string>;
  /** URNs of the resources by the ids of their objects. Not of those that only read an object. */
  readonly holders: ReadonlyMap<string, string>;
  /** Ids of the objects that the program only reads (`get`). No resource of the stack has them. */
  readonly reads: ReadonlySet<string>;
  /** Those of them that a resource still has, which is to go: the engine writes what it has handled before what it has not. */
  readonly readInstead: ReadonlySet<string>;
  /** The ids of the providers under which its objects are marked: of those that it has, of those that it had, and of pending creates. */
  readonly markers: ReadonlySet<string>;
  /** The names of stacks, as marks have them, that its objects show: its own, one from before a rename, or that of a stack that had them. */
  readonly shownNames: ReadonlySet<string>;
  /** The ids of its provider resources. */
  readonly providers: ReadonlySet<string>;
  /** How many of them may serve resources of podlumi. */
  readonly serving: number;
  /** The resources that a run is creating, or was creating when it was interrupted: once for each such run. */
  readonly pending: readonly Pending[];
  /** What such resources adopt or import: an id, or an object's name as `{ name }`, and the name that it gets then. */
  readonly adopting: readonly { readonly urn: string; readonly adopt: unknown; readonly name?: unknown }[];
  /** When it was written, in milliseconds since the epoch; 0 when it does not say. */
  readonly at: number;
}

/** The name of a stack without its organization, as marks have it. */
export function nameInMarks({ name }: Pick<State, "name">): string {
  return name.split("/").slice(-2).join("/");
}

/** The state in an export; undefined when this is no export. */
export function stateIn(
  name: string,
  exported: { deployment?: Deployment | null } | null | undefined,
): State | undefined {
  // A wrapper of Pulumi can answer anything.
  if (typeof exported?.deployment !== "object" || exported.deployment === null) return undefined;
  const { resources = [], pending_operations: pending = [], manifest } = exported.deployment;
  const under = (way: string) => pending.filter(({ type }) => type === way).map(({ resource }) => resource);
  const creating = under("creating");
  const present = resources.filter(({ external, pendingReplacement }) => !external && !pendingReplacement);
  const providerIds = resources.flatMap(({ type, id }) =>
    type.startsWith("pulumi:providers:") ? (id ?? []) : [],
  );
  const replaced = resources.filter((one) => one.delete === true);
  const deleting = under("deleting");
  const leaving = [...replaced, ...deleting];
  const supplanted = leaving.flatMap(({ urn, id }) => (hasFound(urn, id, resources) && id) || []);
  const making = creating.map(({ urn, provider, inputs }) => ({
    urn,
    marker: idIn(provider),
    name: inputs?.name,
    // A replacement rarely adopts. As a create, it may have created something, which is the safe guess.
    adopts: inputs?.adopt !== undefined && resources.every((one) => one.urn !== urn),
  }));
  return {
    name,
    objects: resources.flatMap((resource) => statedIn(resource, resources, deleting) ?? []),
    leaving: new Set(replaced.flatMap(({ id }) => id ?? [])),
    supplanted: new Set(supplanted),
    dropped: new Set(supplanted.filter((id) => resources.every((one) => one.id !== id))),
    holders: new Map(present.flatMap(({ id, urn }) => (id === undefined ? [] : [[id, urn] as const]))),
    reads: new Set(resources.flatMap(({ id, external }) => (external ? (id ?? []) : []))),
    readInstead: new Set(
      resources.flatMap(({ id, external }, at) => {
        const isHeld = resources.slice(at).some((one) => one.id === id && !one.external);
        return external && id !== undefined && isHeld ? [id] : [];
      }),
    ),
    pending: making,
    adopting: [
      ...creating.map(({ urn, inputs }) => ({ urn, adopt: inputs?.adopt, name: inputs?.name })),
      ...under("importing").map(({ urn, id }) => ({ urn, adopt: id })),
    ].filter(({ adopt }) => adopt !== undefined),
    at: Date.parse(manifest?.time ?? "") || 0,
    providers: new Set(providerIds),
    serving: resources.filter(({ urn }) => mayServe(urn)).length,
    markers: new Set([
      ...providerIds,
      ...resources.flatMap(({ outputs }) => outputs?.__stack ?? []),
      ...making.flatMap(({ marker }) => marker ?? []),
    ]),
    shownNames: new Set(resources.flatMap(({ outputs }) => nameIn(outputs?.__urn) ?? [])),
  };
}

/** Whether a resource is a provider that may serve resources of podlumi. Pulumi's own default of dynamic resources does not. */
function mayServe(urn: string): boolean {
  const { type, name } = partsOfUrn(urn);
  if (type === "pulumi:providers:podlumi") return true;
  return type === "pulumi:providers:pulumi-nodejs" && !/^default(?!_podlumi$)/.test(name);
}

/** The name of the stack in a URN, as marks have it. */
function nameIn(urn: string | undefined): string | undefined {
  if (urn === undefined) return undefined;
  const { stack, project } = partsOfUrn(urn);
  return `${project}/${stack}`;
}

function statedIn(
  resource: Exported,
  all: readonly Exported[],
  deleting: readonly Exported[],
): Stated | undefined {
  const { urn, id, type, parent, provider, inputs = {}, outputs = {}, replaceWith = [] } = resource;
  if (id === undefined || resource.external || resource.delete || kindOfType(type) === undefined)
    return undefined;
  const near = (other: string) => all.some((one) => one.urn === other && one.provider === provider);
  const replacedWith = replaceWith.map((other) => ({ urn: other, isNear: near(other) }));
  const [isTainted, isGone] = [resource.taint === true, resource.pendingReplacement === true];
  const isRetained = resource.retainOnDelete === true;
  const isKept = resource.protect === true || isRetained;
  const isReplacedOnChanges = isFilled(resource.replaceOnChanges);
  // What its replacement follows is not the resource's own any more.
  const isGoing = deleting.some((one) => one.urn === urn && one.id === id && one.delete !== true);
  const object = { urn, id, inputs, outputs, parent, isTainted, isGone, isGoing };
  const options = { isKept, isRetained, replacedWith, isReplacedOnChanges };
  return { ...object, ...options, servedBy: idIn(provider), provider: providerIn(all, provider) };
}

/** The id of a provider, from a reference to it. */
const idIn = (provider: string | undefined) => provider?.split("::").at(-1);

/** Whether a resource has another object by now, to import or to read. What it had leaves the state before a read object is in there. */
function hasFound(urn: string, id: string | undefined, all: readonly Exported[]): boolean {
  // The program may have lost its `import` by now.
  const isFound = ({ importID, external, outputs }: Exported) =>
    importID !== undefined || external === true || outputs?.__imported === true;
  return all.some((one) => one.urn === urn && one.id !== id && !one.delete && isFound(one));
}

function providerIn(all: readonly Exported[], reference: string | undefined): Stated["provider"] {
  const found = all.find(({ urn, id }) => `${urn}::${id}` === reference);
  if (found?.id === undefined) return undefined;
  const { urn, id, taint, replacementTrigger, replaceOnChanges, replaceWith } = found;
  const isTriggered = (replacementTrigger ?? undefined) !== undefined;
  const mayBeReplaced = taint === true || isTriggered || isFilled(replaceOnChanges) || isFilled(replaceWith);
  // Nothing replaces a default provider, which has no options. A program can call its own alike.
  const isDefault = /^default(_|$)/.test(partsOfUrn(urn).name) && !mayBeReplaced;
  return isDefault ? undefined : { urn, id, mayBeReplaced };
}

function isFilled(list: readonly string[] | undefined): boolean {
  return list !== undefined && list.length > 0;
}
