import { isDeepStrictEqual } from "node:util";
import { recent } from "../../client/errand";
import { kindOfUrn, partsOfUrn } from "../../identity";
import { at, type Path, propertyPath } from "../../path";
import type { Failure } from "../../schema/failure";
import { isRecord, isUnknown } from "../../value";
import type { Checking, Resource } from "../call";
import type { Kind, ServiceObject } from "../kind";
import { nothingWithId } from "../telling";

/** A resource whose inputs name objects: in its check, or, without the rest, in its create. */
interface Referring extends Resource, Partial<Pick<Checking, "before" | "uses">> {}

/**
 * Checks the objects that the inputs name: by the program, which knows them first, or by the service. A missing object is a failure where a create
 * or a new id needs it. `now` asks the service alone.
 */
export async function referenceFailures(resource: Referring, when?: "now"): Promise<readonly Failure[]> {
  const { kind, before, inputs } = resource;
  const { references } = kind;
  const changed = references?.about.some((name) => !isDeepStrictEqual(before?.[name], inputs[name]));
  if (!references || !changed) return [];
  const named = new NamedObjects(resource, when);
  const mismatches = await references.find((...asked) => named.property(...asked), inputs);
  return [...named.ofOtherKinds.values(), ...named.missing, ...mismatches];
}

/** The objects that the inputs of a resource name. */
class NamedObjects {
  /** Ids of another kind of resource, by path. */
  readonly ofOtherKinds = new Map<string, Failure>();
  readonly missing: Failure[] = [];
  /** Objects by path, each looked up once. */
  private readonly objects = new Map<string, Promise<ServiceObject | undefined>>();

  constructor(
    private readonly resource: Referring,
    private readonly when: "now" | undefined,
  ) {}

  /** A property of the object whose id stands at a path; undefined when nobody knows it yet. */
  async property(target: Kind, path: Path, name: string): Promise<unknown> {
    const { run, record, before, inputs } = this.resource;
    const id = at(inputs, ...path);
    if (typeof id !== "string") return undefined;
    const urn = this.urnAt(path, id);
    const reason = ofOtherKind(target, urn);
    const property = propertyPath(path);
    if (reason !== undefined) this.ofOtherKinds.set(property, { property, reason });
    if (reason !== undefined || record.willAdopt(inputs)) return undefined;
    const { isToBeCreated, declared } = run.record(urn);
    const known = declared?.[name];
    const isTold = known !== undefined && (isToBeCreated || this.when !== "now");
    // An object of this run is there, though lists may lag. One of the state may be gone.
    const asksService = !isToBeCreated && !isUnknown(id) && !(isTold && at(before, ...path) === id);
    const object = asksService ? await this.objectAt(target, path, id) : undefined;
    if (!isTold) return object?.[name];
    return isUnknown(known) ? undefined : known;
  }

  /** The URN of the resource that stands at a path, or that has what stands there. */
  private urnAt(path: Path, id: string): unknown {
    const { run, uses } = this.resource;
    // A program can pass a new resource where `ignoreChanges` keeps the id of an earlier one.
    if (isUnknown(id)) return isRecord(uses) ? uses[propertyPath(path)] : undefined;
    return run.holders.of(id);
  }

  private objectAt(target: Kind, path: Path, id: string): Promise<ServiceObject | undefined> {
    const place = propertyPath(path);
    const object = this.objects.get(place) ?? this.look(target, path, id);
    this.objects.set(place, object);
    return object;
  }

  private async look(target: Kind, path: Path, id: string): Promise<ServiceObject | undefined> {
    const { run, before, api } = this.resource;
    const seen = await run.look(target, async () => ({ object: await this.present(target, id) }));
    if (seen !== undefined && seen.object === undefined && at(before, ...path) !== id) {
      const reason = await nothingWithId(target, api(), id, recent);
      this.missing.push({ property: propertyPath(path), reason, code: "PODLUMI-NOT-FOUND" });
    }
    return seen?.object;
  }

  /** Most objects are in the run's list, public templates are not. A single read can lag, and the list be older than the object. */
  private async present(target: Kind, id: string): Promise<ServiceObject | undefined> {
    const { run } = this.resource;
    const api = this.resource.api().impatient();
    const listed = this.when === "now" ? undefined : await run.lists.oneAtFirst(target, api, id);
    return listed ?? (await target.one?.(api, id)) ?? (await run.lists.oneLately(target, api, id, 0));
  }
}

/** The fault of a resource of another kind than `target`; undefined where nobody knows its kind. */
function ofOtherKind(target: Kind, urn: unknown): string | undefined {
  const kind = kindOfUrn(urn);
  if (kind === undefined || kind === target.type) return undefined;
  return `is the ${kind} ${JSON.stringify(partsOfUrn(urn).name)}: give a ${target.type}`;
}
