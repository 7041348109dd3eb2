import { type Endpoint, type EndpointType, endpointView } from "./endpoint";
import { checkEndpoint, checkQuota } from "./endpoint-rules";
import { type CreateEndpoint, newSettings, patchSettings, type UpdateEndpoint } from "./endpoint-settings";
import { Fleet } from "./fleet";
import { newId } from "./ids";
import { notFound } from "./problem";
import { releaseOf } from "./releases";
import type { Service } from "./service";
import { type ReleaseList, releaseList, type WorkerList, type WorkerSource, workerList } from "./workers";

export interface EndpointRecord extends WorkerSource {
  id: string;
  type: EndpointType;
  /** The template it was created from. */
  template: string | null;
  createdAt: number;
}

/** Serverless endpoints: workers behind a queue or a load balancer. */
export class Endpoints {
  private readonly live = new Map<string, EndpointRecord>();
  /** Deleted endpoints. Billing reports still need them. */
  private readonly past: EndpointRecord[] = [];

  constructor(private readonly service: Service) {}

  list(): Endpoint[] {
    // assumes: order GET /serverless
    return this.records().map((record) => this.view(record));
  }

  get(id: string): Endpoint {
    return this.view(this.record(id));
  }

  find(id: string): EndpointRecord | undefined {
    return this.live.get(id);
  }

  create(input: CreateEndpoint): Endpoint {
    const template = this.service.templates.resolve(input.templateId, "serverless");
    const settings = structuredClone(newSettings(input, template));
    checkEndpoint(this.service, input.type, settings, input, true);
    checkQuota(this.service, settings.workers.max);
    if (input.type === "LOAD_BALANCER" && this.service.injectEnv)
      // assumes: variable * /serverless*
      settings.container.env = { PORT: "80", PORT_HEALTH: "80", ...settings.container.env };
    const now = this.service.clock.now();
    const record: EndpointRecord = {
      id: newId(14),
      type: input.type,
      template: input.templateId ?? null,
      createdAt: now,
      settings,
      releases: [{ id: newId(8), version: 1, createdAt: now, diff: [] }],
      images: new Map([[1, settings.container.image]]),
      fleet: new Fleet(settings.workers, this.service.timings.starting),
    };
    record.fleet.settle(now);
    this.live.set(record.id, record);
    return this.view(record);
  }

  /** `binds`: the endpoint stays bound to the template of the input. Only GraphQL does that. */
  update(id: string, input: UpdateEndpoint, { binds = false } = {}): Endpoint {
    const record = this.record(id);
    const template = this.service.templates.resolve(input.templateId, "serverless");
    const settings = structuredClone(patchSettings(record.settings, input, template));
    checkEndpoint(this.service, record.type, settings, input, false);
    if (input.workers?.max !== undefined) checkQuota(this.service, settings.workers.max, id);
    const now = this.service.clock.now();
    const release = releaseOf(record.settings, settings, record.releases.length + 1, now);
    record.settings = settings;
    if (binds && input.templateId !== undefined && input.templateId !== record.template) {
      this.service.templates.noteEndOfUse(record.template);
      record.template = input.templateId;
    }
    record.fleet.resize(settings.workers, now);
    if (release) {
      record.releases.push(release);
      record.images.set(release.version, settings.container.image);
      record.fleet.release(release.version, now);
    }
    this.service.jobs.dispatch(id);
    return this.view(record);
  }

  /** Ends the workers and cancels the jobs (API: Serverless, delete). */
  delete(id: string): void {
    const record = this.record(id);
    this.live.delete(id);
    record.fleet.endAll(this.service.clock.now());
    this.service.jobs.drop(id);
    this.service.batches.drop(id);
    this.service.templates.noteEndOfUse(record.template);
    this.past.push(record);
  }

  workers(id: string): WorkerList {
    return workerList(this.record(id), this.service);
  }

  releases(id: string): ReleaseList {
    return releaseList(this.record(id), this.service);
  }

  /** For tests: makes the workers wait for compute, or ends that. */
  throttle(id: string, throttled = true): void {
    const { fleet } = this.record(id);
    fleet.throttled = throttled;
    fleet.settle(this.service.clock.now());
    this.service.jobs.dispatch(id);
  }

  some(test: (endpoint: EndpointRecord) => boolean): boolean {
    return this.records().some(test);
  }

  workerHoldsVolume(volumeId: string): boolean {
    return this.some(({ fleet, settings }) => {
      fleet.settle(this.service.clock.now());
      return fleet.workers.length > 0 && settings.networkVolumes.includes(volumeId);
    });
  }

  record(id: string): EndpointRecord {
    const record = this.live.get(id);
    if (!record) throw notFound();
    return record;
  }

  records(): EndpointRecord[] {
    return [...this.live.values()];
  }

  /** All endpoints that ever existed. */
  history(): EndpointRecord[] {
    return [...this.live.values(), ...this.past];
  }

  private view(record: EndpointRecord): Endpoint {
    return endpointView(record, record.settings, this.service.queueUrl);
  }
}
