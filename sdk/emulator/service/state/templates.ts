import {
  type Container,
  type ContainerInput,
  type ContainerView,
  containerKeys,
  containerView,
  newContainer,
} from "./container";
import { newId } from "./ids";
import { badRequest, notFound, unprocessable } from "./problem";
import { publicTemplates, type TemplateSource } from "./public-templates";
import type { Service } from "./service";

export interface PersistentMount {
  /** GB. */
  size: number;
  path: string;
}

export type TemplateCategory = "CPU" | "NVIDIA" | "AMD";

export interface CreateTemplate extends ContainerInput, Partial<TemplateExtras> {
  name: string;
  image: string;
  mounts?: { persistent?: PersistentMount };
  serverless?: boolean;
  public?: boolean;
  category?: TemplateCategory;
  startSsh?: boolean;
  startJupyter?: boolean;
  allowedCudaVersions?: string[];
}

/** A port and what the console calls it. */
export interface PortConfig {
  port: string;
  name: string;
}

export type UpdateTemplate = Partial<CreateTemplate>;

export const templateInUse = () =>
  badRequest("Template is in use by a pod or serverless endpoint and cannot be deleted");
export const templateNameTaken = (name: string) =>
  // assumes: status, value POST /templates: title, detail
  badRequest(`Template name must be unique: '${name}' already exists`);

export interface Template extends Container {
  id: string;
  name: string;
  mounts: { persistent?: PersistentMount };
  serverless: boolean;
  public: boolean;
  category: TemplateCategory;
  startSsh: boolean;
  startJupyter: boolean;
  allowedCudaVersions: string[];
}

/** Settings that only GraphQL has. */
export interface TemplateExtras {
  readme: string;
  advancedStart: boolean;
  startScript: string;
  portsConfig: PortConfig[];
}

export interface TemplateRecord extends Template, TemplateExtras {}

/** A template, as answers show it. */
export type TemplateView = Template & ContainerView;

/** Settings from which pods and endpoints are created. They copy them: a later change of the template has no effect. */
export class Templates {
  private readonly records = new Map<string, TemplateRecord>();
  /** When the last pod or endpoint of each template ended, by template id. */
  private readonly lastUse = new Map<string, number>();

  constructor(private readonly service: Service) {}

  list(): TemplateView[] {
    // assumes: order GET /templates
    return [...this.records.values()].map(view);
  }

  /** Reads the account's own templates and public ones (API: Templates, get). */
  get(id: string): TemplateView {
    const template = this.records.get(id) ?? publicTemplates.find((template) => template.id === id);
    if (!template) throw notFound();
    return view(template);
  }

  listPublic(source: TemplateSource): TemplateView[] {
    return publicTemplates.filter((template) => template.source === source).map(view);
  }

  readme(id: string): string {
    return this.record(id).readme;
  }

  /** Only GraphQL shows these. A template of others has none of them. */
  extras(id: string): TemplateExtras {
    const {
      readme = "",
      advancedStart = false,
      startScript = "",
      portsConfig = [],
    } = this.records.get(id) ?? {};
    return { readme, advancedStart, startScript, portsConfig: structuredClone(portsConfig) };
  }

  idOfName(name: string): string {
    const template = this.list().find((template) => template.name === name);
    if (!template) throw notFound(`template '${name}' was not found`);
    return template.id;
  }

  create(input: CreateTemplate): TemplateView {
    this.check(input);
    const record: TemplateRecord = {
      id: newId(),
      name: input.name,
      ...newContainer(input),
      mounts: structuredClone(input.mounts ?? {}),
      // assumes: value * /templates*: *serverless, *public, *category, *startSsh, *startJupyter
      serverless: input.serverless ?? false,
      public: input.public ?? false,
      category: input.category ?? "NVIDIA",
      startSsh: input.startSsh ?? true,
      startJupyter: input.startJupyter ?? true,
      allowedCudaVersions: input.allowedCudaVersions ?? [],
      readme: input.readme ?? "",
      advancedStart: input.advancedStart ?? false,
      startScript: input.startScript ?? "",
      portsConfig: structuredClone(input.portsConfig ?? []),
    };
    this.records.set(record.id, record);
    return view(record);
  }

  update(id: string, input: UpdateTemplate): TemplateView {
    const record = this.record(id);
    this.check(input, id);
    const { entrypoint, cmd, ...settings } = input;
    const given = Object.entries(settings).filter(([, value]) => value !== undefined);
    Object.assign(record, structuredClone({ ...Object.fromEntries(given), ...containerKeys(input, record) }));
    return view(record);
  }

  delete(id: string): void {
    this.record(id);
    const { clock, timings, pods, endpoints } = this.service;
    const inUse =
      pods.some((pod) => pod.template === id) || endpoints.some(({ template }) => template === id);
    const lastUse = this.lastUse.get(id) ?? Number.NEGATIVE_INFINITY;
    // The service may refuse for up to two minutes; `timings` has how long it does here. (API: Templates, delete)
    if (inUse || clock.now() < lastUse + timings.templateRelease) throw templateInUse();
    this.records.delete(id);
  }

  /** The template that a pod or an endpoint names. Throws when it is for the other kind. */
  resolve(id: string | undefined, kind: "pod" | "serverless"): Template | undefined {
    if (id === undefined) return undefined;
    const template = this.get(id);
    if (template.serverless !== (kind === "serverless"))
      throw unprocessable(`$.templateId: template '${id}' is not a ${kind} template`);
    return template;
  }

  noteEndOfUse(id: string | null): void {
    if (id) this.lastUse.set(id, this.service.clock.now());
  }

  forgetRegistry(registry: string): void {
    for (const record of this.records.values()) if (record.registry === registry) record.registry = null;
  }

  private check(input: UpdateTemplate, own?: string): void {
    this.service.containers.check(input);
    if (
      input.name !== undefined &&
      [...this.records.values()].some(({ id, name }) => name === input.name && id !== own)
    )
      throw templateNameTaken(input.name);
  }

  private record(id: string): TemplateRecord {
    const record = this.records.get(id);
    if (!record) throw notFound();
    return record;
  }
}

// assumes: field * /templates*
function view(record: Template): TemplateView {
  const { image, args, disk, ports, env, registry } = record;
  return {
    id: record.id,
    name: record.name,
    ...containerView({ image, args, disk, ports, env, registry }),
    mounts: structuredClone(record.mounts),
    serverless: record.serverless,
    public: record.public,
    category: record.category,
    startSsh: record.startSsh,
    startJupyter: record.startJupyter,
    allowedCudaVersions: [...record.allowedCudaVersions],
  };
}
