import { newId, timestamp } from "./ids";
import { notFound } from "./problem";
import type { Service } from "./service";

export interface GlobalVolume {
  id: string;
  /** Trimmed, and not unique. */
  name: string;
  createdAt: string;
  createdByUserId: string | null;
}

/** Storage without a data center that grows by itself. Whether the service deletes one in use is not known: here it does. */
export class GlobalVolumes {
  private readonly records = new Map<string, GlobalVolume>();

  constructor(private readonly service: Service) {}

  list(): GlobalVolume[] {
    return [...this.records.values()].map((record) => ({ ...record }));
  }

  get(id: string): GlobalVolume {
    const record = this.records.get(id);
    if (!record) throw notFound();
    return { ...record };
  }

  has(id: string): boolean {
    return this.records.has(id);
  }

  create({ name }: { name: string }): GlobalVolume {
    const { clock, userId } = this.service;
    const createdAt = timestamp(clock.now());
    const id = `gsb_${newId()}`;
    this.records.set(id, { id, name: name.trim(), createdAt, createdByUserId: userId });
    return this.get(id);
  }

  update(id: string, { name }: { name?: string }): GlobalVolume {
    const { name: before } = this.get(id);
    this.records.set(id, { ...this.get(id), name: name?.trim() ?? before });
    return this.get(id);
  }

  delete(id: string): void {
    this.get(id);
    this.records.delete(id);
  }
}
