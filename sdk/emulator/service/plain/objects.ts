import type { Fact, Kind } from "../page/state";
import type { Route } from "../rest/route";
import { notFound } from "../state/problem";
import type { Service } from "../state/service";

/** A kind that stands alone: one file has its state, its routes and what the page shows of it. */
export interface PlainKind<T extends Stored = Stored> {
  new (service: Service): Objects<T>;
  readonly routes: Route[];
  readonly page: { readonly kind: Kind; facts(one: T): Fact[] };
}

export interface Stored {
  id: string;
  name: string | null;
}

/** The objects of such a kind. Everybody gets copies of them. */
export class Objects<T extends Stored> {
  /** The error for an id that no object has. */
  protected readonly missing: string | undefined;
  private readonly records = new Map<string, T>();

  constructor(protected readonly service: Service) {}

  list(): T[] {
    return structuredClone([...this.records.values()]);
  }

  get(id: string): T {
    const record = this.records.get(id);
    if (!record) throw notFound(this.missing);
    return structuredClone(record);
  }

  has(id: string): boolean {
    return this.records.has(id);
  }

  delete(id: string): void {
    this.get(id);
    this.records.delete(id);
  }

  protected store(record: T): T {
    this.records.set(record.id, record);
    return this.get(record.id);
  }
}
