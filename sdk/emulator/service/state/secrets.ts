import { newId, timestamp } from "./ids";
import { conflict, notFound, unprocessable } from "./problem";
import type { Service } from "./service";

export interface CreateSecret {
  name: string;
  value: string;
  description?: string | null;
}

export interface UpdateSecret {
  value?: string;
  description?: string;
}

// assumes: status, value POST /account/secrets: title, detail
export const secretNameTaken = (name: string) => conflict(`a secret named '${name}' already exists`);

export interface Secret {
  id: string;
  name: string;
  description: string | null;
  createdAt: string;
  valueLastUpdatedAt: string | null;
}

interface SecretRecord {
  id: string;
  name: string;
  value: string;
  description: string | null;
  createdAt: number;
  valueUpdatedAt: number | null;
}

const NAME = /^[a-zA-Z_][a-zA-Z0-9_.\-/]*$/;
const MAX_NAME = 191;
/** In bytes. */
const MAX_VALUE = 16_777_215;
/** In bytes. */
const MAX_DESCRIPTION = 65_535;

const REFERENCE = /\{\{ RUNPOD_SECRET_([\w.\-/]+) \}\}/g;

/** Names of the secrets that an environment refers to. */
export function secretsIn(env: Record<string, string>): string[] {
  const names = Object.values(env).flatMap((value) =>
    [...value.matchAll(REFERENCE)].map(([, name = ""]) => name),
  );
  return [...new Set(names)];
}

/** Compares names without their case. Without a name, every secret matches. */
export const isNamed =
  (name?: string) =>
  (secret: { name: string }): boolean =>
    name === undefined || secret.name.toLowerCase() === name.toLowerCase();

/** Values that containers get at boot for `{{ RUNPOD_SECRET_<name> }}`. No interface returns them. */
export class Secrets {
  private readonly records = new Map<string, SecretRecord>();

  constructor(private readonly service: Service) {}

  list(name?: string): Secret[] {
    // assumes: order GET /account/secrets
    return [...this.records.values()].filter(isNamed(name)).map(view);
  }

  get(id: string): Secret {
    return view(this.record(id));
  }

  create({ name, value, description }: CreateSecret): Secret {
    if (!NAME.test(name) || name.length > MAX_NAME || /^runpod/i.test(name))
      throw unprocessable(`$.name: '${name}' is not a valid secret name`);
    checkValue(value);
    checkDescription(description ?? "");
    // A list by name ignores case, and has one secret. So names that differ in case alone are taken to be the same.
    // assumes: status POST /account/secrets
    if ([...this.records.values()].some(isNamed(name))) throw secretNameTaken(name);
    const id = newId();
    const createdAt = this.service.clock.now();
    this.records.set(id, {
      id,
      name,
      value,
      description: description || null,
      createdAt,
      valueUpdatedAt: null,
    });
    return this.get(id);
  }

  update(id: string, { value, description }: UpdateSecret): Secret {
    const record = this.record(id);
    if (value !== undefined) {
      checkValue(value);
      record.value = value;
      record.valueUpdatedAt = this.service.clock.now();
    }
    if (description !== undefined) {
      checkDescription(description);
      record.description = description || null;
    }
    return view(record);
  }

  delete(id: string): void {
    this.record(id);
    this.records.delete(id);
  }

  /** For tests: the stored value. */
  valueOf(id: string): string {
    return this.record(id).value;
  }

  /** The environment that a container gets when it boots now. A reference to no secret stays as it is written. */
  substitute(env: Record<string, string>): Record<string, string> {
    const byName = new Map([...this.records.values()].map(({ name, value }) => [name, value]));
    return Object.fromEntries(
      Object.entries(env).map(([key, value]) => [
        key,
        value.replace(REFERENCE, (reference, name: string) => byName.get(name) ?? reference),
      ]),
    );
  }

  private record(id: string): SecretRecord {
    const record = this.records.get(id);
    if (!record) throw notFound();
    return record;
  }
}

// assumes: field * /account/secrets*
function view({ id, name, description, createdAt, valueUpdatedAt }: SecretRecord): Secret {
  return {
    id,
    name,
    description,
    createdAt: timestamp(createdAt),
    valueLastUpdatedAt: valueUpdatedAt === null ? null : timestamp(valueUpdatedAt),
  };
}

function checkValue(value: string): void {
  const bytes = Buffer.byteLength(value);
  if (bytes < 1 || bytes > MAX_VALUE) throw unprocessable(`$.value: must have 1 to ${MAX_VALUE} bytes`);
}

function checkDescription(description: string): void {
  if (Buffer.byteLength(description) > MAX_DESCRIPTION)
    throw unprocessable(`$.description: must have at most ${MAX_DESCRIPTION} bytes`);
}
