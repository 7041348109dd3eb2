import { randomUUID } from "node:crypto";
import { timestamp } from "./ids";
import { conflict, notFound } from "./problem";
import type { Service } from "./service";

/** Kinds that can carry a tag and be in a cost center (API: Tags, attach a tag to a resource). */
export const resourceTypes = ["POD", "CLUSTER", "SERVERLESS_ENDPOINT", "NETWORK_VOLUME"] as const;

export interface Resource {
  id: string;
  type: (typeof resourceTypes)[number];
}

/** A tag, or a cost center, which has no key. All resources of the account share it. */
export interface Label {
  id: string;
  key?: string;
  value: string;
  createdAt: string;
  updatedAt: string;
}

/** A tag in a pod or a network volume. */
export type ShownTag = Pick<Label, "id" | "key" | "value">;

interface Labelled {
  label: Label;
  resources: Resource[];
}

/** All tags, or all cost centers. `exclusive`: a resource is in at most one (API: Cost centers). */
export class Labels {
  private readonly all = new Map<string, Labelled>();

  constructor(
    private readonly service: Service,
    private readonly exclusive = false,
  ) {}

  list(): Label[] {
    return [...this.all.values()].map(({ label }) => ({ ...label }));
  }

  get(id: string): Label {
    return { ...this.labelled(id).label };
  }

  create({ resources = [], ...given }: { key?: string; value: string; resources?: Resource[] }): Label {
    // assumes: status POST /tags: title, detail
    if (this.list().some(({ key, value }) => key === given.key && value === given.value))
      throw conflict("it exists already");
    for (const resource of resources) this.check(resource);
    const now = timestamp(this.service.clock.now());
    const id = `cl${randomUUID().replaceAll("-", "").slice(0, 23)}`;
    this.all.set(id, { label: { id, ...given, createdAt: now, updatedAt: now }, resources: [] });
    for (const resource of resources) this.attach(id, resource);
    return this.get(id);
  }

  delete(id: string): void {
    this.labelled(id);
    this.all.delete(id);
  }

  /** Attaching again changes nothing. */
  attach(id: string, resource: Resource): void {
    const { resources } = this.labelled(id);
    this.check(resource);
    const has = this.of(resource).map((label) => label.id);
    if (has.includes(id)) return;
    // assumes: status PUT /cost-centers/{id}/resources/*
    if (this.exclusive && has.length > 0) throw conflict("the resource is in another cost center");
    resources.push(resource);
  }

  /** Detaching again changes nothing. */
  detach(id: string, resource: Resource): void {
    const labelled = this.labelled(id);
    labelled.resources = labelled.resources.filter((one) => !isSame(one, resource));
  }

  /** Those of a resource. */
  of(resource: Resource): Label[] {
    const having = [...this.all.values()].filter(({ resources }) =>
      resources.some((one) => isSame(one, resource)),
    );
    return having.map(({ label }) => ({ ...label }));
  }

  /** Pods and network volumes show their tags, as before the release. */
  shown(resource: Resource): ShownTag[] {
    // assumes: field, value * /pods*: *tags*
    return this.of(resource).map(({ id, key, value }) => ({ id, key, value }));
  }

  resources(id: string): Resource[] {
    return this.labelled(id).resources.filter((resource) => this.exists(resource));
  }

  private check(resource: Resource): void {
    if (!this.exists(resource)) throw notFound();
  }

  private exists({ type, id }: Resource): boolean {
    const { pods, clusters, endpoints, volumes } = this.service;
    const kinds = {
      POD: pods,
      CLUSTER: clusters,
      SERVERLESS_ENDPOINT: endpoints,
      NETWORK_VOLUME: volumes,
    } satisfies Record<Resource["type"], unknown>;
    return kinds[type].list().some((one) => one.id === id);
  }

  private labelled(id: string): Labelled {
    const labelled = this.all.get(id);
    if (!labelled) throw notFound();
    return labelled;
  }
}

const isSame = (one: Resource, other: Resource) => one.id === other.id && one.type === other.type;
