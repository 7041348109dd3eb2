import { stackDigits } from "../../../provider/core/mark/mark";
import { at } from "../../../provider/path";
import { isRecord, type Properties } from "../../../provider/value";

/** A stack's state: the part that tells which objects are the stack's. */
export interface State {
  /** The stack, with its organization and project. */
  readonly name: string;
  /** The URNs of its resources by the ids of their objects, also of those that are still to be deleted. Not of those that only read one. */
  readonly holders: ReadonlyMap<string, string>;
  /** The ids of the objects that its program only reads (`get`). */
  readonly reads: ReadonlySet<string>;
  /** The ids of its providers, and of those that have marked its objects or are about to. */
  readonly providerIds: ReadonlySet<string>;
  /** Creates and imports of a run that is under way or was interrupted. */
  readonly pending: readonly Pending[];
}

/** A create or an import that is under way, or was interrupted. */
export interface Pending {
  readonly urn: string;
  /** The id of its provider, by which its object is marked. */
  readonly providerId: string | undefined;
  /** The name that it asked for. */
  readonly name: unknown;
  /** The object that it adopts or imports: an id, or a name as `{ name }`. */
  readonly adopt: unknown;
}

/** The state in an export of Pulumi; undefined when this is none. */
export function stateIn(name: string, exported: unknown): State | undefined {
  const deployment = at(exported, "deployment");
  if (!isRecord(deployment)) return undefined;
  const resources = recordsIn(deployment.resources);
  const pending = recordsIn(deployment.pending_operations).flatMap((one) => pendingIn(one) ?? []);
  // Of the plugin, and of dynamic providers.
  const isOurs = (type: unknown) =>
    type === "pulumi:providers:podlumi" || type === "pulumi:providers:pulumi-nodejs";
  const providers = resources.filter(({ type }) => isOurs(type));
  const idsOf = (some: readonly Properties[]) => some.flatMap(({ id }) => text(id) ?? []);
  return {
    name,
    holders: new Map(
      resources.flatMap(({ id, urn, external }) =>
        external || !text(id) ? [] : [[String(id), String(urn)]],
      ),
    ),
    reads: new Set(idsOf(resources.filter(({ external }) => external === true))),
    providerIds: new Set([
      ...idsOf(providers),
      ...resources.flatMap(({ outputs }) => text(at(outputs, "__providerId")) ?? []),
      ...pending.flatMap(({ providerId }) => providerId ?? []),
    ]),
    pending,
  };
}

function pendingIn({ type, resource }: Properties): Pending | undefined {
  if (!isRecord(resource) || (type !== "creating" && type !== "importing")) return undefined;
  const { urn, id, provider, inputs } = resource;
  return {
    urn: String(urn),
    providerId: text(provider)?.split("::").at(-1),
    name: at(inputs, "name"),
    adopt: type === "importing" ? id : at(inputs, "adopt"),
  };
}

const recordsIn = (list: unknown): Properties[] => (Array.isArray(list) ? list.filter(isRecord) : []);

const text = (value: unknown) => (typeof value === "string" ? value : undefined);

/** The name of a stack without its organization, as marks have it. */
export function nameInMarks({ name }: Pick<State, "name">): string {
  return name.split("/").slice(-2).join("/");
}

/** The digits of the marks that stacks give, by the providers in their states. */
export function digitsOf(states: readonly State[]): ReadonlySet<string> {
  return new Set(states.flatMap(({ providerIds }) => [...providerIds].map(stackDigits)));
}
