import { newId } from "./ids";
import { badRequest, notFound } from "./problem";
import type { Service } from "./service";

export interface CreateRegistry {
  name: string;
  username: string;
  password: string;
}

export interface Registry {
  id: string;
  name: string;
}

export const registryInUse = () => badRequest("Registry credential is in use by a pod and cannot be deleted");
export const registryNameTaken = (name: string) =>
  // assumes: status, value POST /registries: title, detail
  badRequest(`a registry credential named '${name}' already exists`);

/** Credentials for private images. They are write-only (API: Registries, create). */
export class Registries {
  private readonly records = new Map<string, CreateRegistry>();

  constructor(private readonly service: Service) {}

  list(): Registry[] {
    // assumes: order GET /registries
    return [...this.records.keys()].map((id) => this.get(id));
  }

  get(id: string): Registry {
    // assumes: field * /registries*
    return { id, name: this.valueOf(id).name };
  }

  has(id: string): boolean {
    return this.records.has(id);
  }

  create({ name, username, password }: CreateRegistry): Registry {
    if (this.list().some((registry) => registry.name === name)) throw registryNameTaken(name);
    const id = newId();
    this.records.set(id, { name, username, password });
    return this.get(id);
  }

  /** Their name never changes. */
  update(id: string, credentials: { username?: string; password?: string }): Registry {
    this.records.set(id, { ...this.valueOf(id), ...credentials });
    return this.get(id);
  }

  /** Refused while a pod uses it. Templates silently lose the reference (API: Registries, delete). */
  delete(id: string): void {
    this.valueOf(id);
    if (this.service.pods.some((pod) => pod.container.registry === id)) throw registryInUse();
    this.service.templates.forgetRegistry(id);
    this.records.delete(id);
  }

  /** The stored credentials. No interface returns them; tests read them. */
  valueOf(id: string): CreateRegistry {
    const record = this.records.get(id);
    if (!record) throw notFound();
    return { ...record };
  }
}
