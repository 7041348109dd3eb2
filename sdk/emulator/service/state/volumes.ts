import { dataCenters, findDataCenter, type VolumeType } from "../catalog";
import { newId } from "./ids";
import type { ShownTag } from "./labels";
import { badRequest, notFound } from "./problem";
import type { Service } from "./service";
import { Timeline } from "./timeline";

export interface CreateVolume {
  name: string;
  /** GB. */
  size: number;
  dataCenter: string;
  type?: VolumeType;
}

export interface UpdateVolume {
  name?: string;
  size?: number;
}

/**
 * (differs, Addresses: no file of a volume exists, and no port of a pod. So `s3Endpoint` and `urls`, which podlumi computes, are the
 * service's own addresses, and nothing responds there for an emulated object.)
 */
export interface Volume {
  id: string;
  name: string;
  size: number;
  dataCenter: string;
  type: VolumeType;
  tags: ShownTag[];
}

export const volumeInUse = () =>
  badRequest("You must remove this network volume from all pods before deleting it.");

/** A volume with its size over time, because billing depends on it. */
export interface VolumeRecord extends Omit<Volume, "size" | "tags"> {
  size: Timeline<number>;
}

/** Network volumes. They outlive pods and stay in their data center. */
export class Volumes {
  private readonly records = new Map<string, VolumeRecord>();

  private readonly past: VolumeRecord[] = [];

  constructor(private readonly service: Service) {}

  list(): Volume[] {
    // assumes: order GET /network-volumes
    return [...this.records.values()].map((record) => this.view(record));
  }

  get(id: string): Volume {
    return this.view(this.record(id));
  }

  has(id: string): boolean {
    return this.records.has(id);
  }

  /** All volumes that ever existed. */
  history(): VolumeRecord[] {
    return [...this.records.values(), ...this.past];
  }

  create({ name, size, dataCenter, type }: CreateVolume): Volume {
    const supported = findDataCenter(dataCenter)?.networkVolumeTypes ?? [];
    // assumes: value * /network-volumes*: type, networkVolumes[].type
    const tier = type ?? supported[0];
    if (!tier || !supported.includes(tier)) {
      const others = dataCenters.filter(({ networkVolumeTypes }) =>
        type ? networkVolumeTypes.includes(type) : networkVolumeTypes.length > 0,
      );
      throw badRequest(
        `Data center '${dataCenter}' does not support ${type ?? "network"} volumes. Supported: ${others.map(({ id }) => id).join(", ")}`,
      );
    }
    const id = newId();
    const at = this.service.clock.now();
    this.records.set(id, { id, name, dataCenter, type: tier, size: new Timeline({ at, value: size }) });
    return this.get(id);
  }

  /** The size can only grow (API: Network volumes, update). */
  update(id: string, { name, size }: UpdateVolume): Volume {
    const record = this.record(id);
    const now = this.service.clock.now();
    if (size !== undefined && size < record.size.at(now))
      throw badRequest("Network volume size cannot be decreased");
    if (name !== undefined) record.name = name;
    if (size !== undefined) record.size.plan(now, { at: now, value: size });
    return this.view(record);
  }

  delete(id: string): void {
    const record = this.record(id);
    // Serverless workers use the volume too. A throttled worker holds it until `workers.max` is 0.
    if (this.service.pods.holdsVolume(id) || this.service.endpoints.workerHoldsVolume(id))
      throw volumeInUse();
    const now = this.service.clock.now();
    record.size.plan(now, { at: now, value: 0 });
    this.records.delete(id);
    this.past.push(record);
  }

  private view({ size, ...record }: VolumeRecord): Volume {
    const { id, name, dataCenter, type } = record;
    const tags = this.service.tags.shown({ type: "NETWORK_VOLUME", id });
    // assumes: field * /network-volumes*
    return { id, name, size: size.at(this.service.clock.now()), dataCenter, type, tags };
  }

  private record(id: string): VolumeRecord {
    const record = this.records.get(id);
    if (!record) throw notFound();
    return record;
  }
}
