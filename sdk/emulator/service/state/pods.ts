import { findDataCenter } from "../catalog";
import { type ContainerInput, containerKeys, withTemplate } from "./container";
import { type Mounts, patchMounts } from "./mounts";
import { type CreatePod, checkEnv, newPod, POD_BODY_LIMIT, podTooLarge } from "./new-pod";
import { checkGlobalNetworking } from "./placement";
import { actionsOf, type Pod, type PodAction, type PodRecord, podView, rateOf } from "./pod";
import { badRequest, conflict, HOST_FULL, notFound } from "./problem";
import type { Service } from "./service";

export interface UpdatePod extends ContainerInput {
  name?: string;
  mounts?: Mounts;
  locked?: boolean;
  globalNetworking?: boolean;
  templateId?: string;
}

interface PodOrigin {
  /** True for GraphQL: answers name the pod's template. */
  showsTemplate?: boolean;
  cluster?: PodRecord["cluster"];
}

/** Pods. A boot takes time, and the status is computed when it is read. */
export class Pods {
  /** Includes deleted pods, because billing reports still need them. */
  private readonly all = new Map<string, PodRecord>();

  constructor(private readonly service: Service) {}

  /** Leaves out the pods of clusters unless `clusterPods` is set. */
  list({ clusterPods = false } = {}): Pod[] {
    const listed = this.records().filter(({ cluster }) => clusterPods || !cluster);
    return listed.map((pod) => this.view(pod));
  }

  ofCluster(id: string): Pod[] {
    const members = this.records().filter(({ cluster }) => cluster?.id === id);
    return members.map((pod) => this.view(pod));
  }

  get(id: string): Pod {
    return this.view(this.record(id));
  }

  has(id: string): boolean {
    return this.some((pod) => pod.id === id);
  }

  create(input: CreatePod, { showsTemplate = false, cluster }: PodOrigin = {}): Pod {
    const pod = { ...newPod(this.service, input, showsTemplate), ...(cluster && { cluster }) };
    const isLarge = Buffer.byteLength(JSON.stringify(pod.container)) > POD_BODY_LIMIT;
    if (input.templateId !== undefined && !cluster && isLarge) throw podTooLarge();
    // (differs, Balance: it never changes. It only decides whether a pod or a cluster can be paid for an hour.)
    this.service.allowance.check(rateOf(pod));
    this.boot(pod, "PROVISIONING");
    this.all.set(pod.id, pod);
    return this.view(pod);
  }

  update(id: string, input: UpdatePod): Pod {
    const pod = this.standalone(id);
    const template = this.service.templates.resolve(input.templateId, "pod");
    const container = { ...pod.container, ...withTemplate(input, template, pod.container) };
    this.service.containers.check(container);
    checkEnv(container.env);
    const mounts = patchMounts(pod.mounts, input.mounts);
    if (input.globalNetworking) {
      checkGlobalNetworking(pod.gpu?.id);
      if (!findDataCenter(pod.dataCenterId)?.globalNetwork)
        throw badRequest(`data center ${pod.dataCenterId} does not support global networking`);
    }

    const resets = template || Object.keys(containerKeys(input)).length > 0 || mounts !== pod.mounts;
    pod.container = structuredClone(container);
    pod.mounts = structuredClone(mounts);
    if (input.name !== undefined) pod.name = input.name;
    if (input.locked !== undefined) pod.locked = input.locked;
    // Applies at the next boot (API: Pods, update).
    if (input.globalNetworking !== undefined) pod.globalNetworking.wanted = input.globalNetworking;
    // Container fields reset a running container, even when their values do not change.
    const status = pod.status.at(this.service.clock.now());
    if (resets && (status === "RUNNING" || status === "STARTING")) this.boot(pod, "STARTING");
    return this.view(pod);
  }

  /** Returns undefined after `terminate`, because the pod is gone. */
  act(id: string, action: PodAction): Pod | undefined {
    const pod = this.record(id);
    const now = this.service.clock.now();
    const status = pod.status.at(now);
    if (!actionsOf(pod, now).includes(action))
      throw conflict(
        `action '${action}' is not valid for a pod in status ${status}${pod.locked ? " (locked)" : ""}`,
      );
    if (action === "terminate") return this.delete(id);
    if (action === "restart") this.boot(pod, "STARTING");
    if (action === "start") {
      if (status === "EXITED") {
        this.checkHost(pod);
        this.service.allowance.check(rateOf(pod));
      }
      this.boot(pod, "PROVISIONING");
    }
    if (action === "stop") pod.status.plan(now, { at: now + this.service.timings.stopping, value: "EXITED" });
    return this.view(pod);
  }

  delete(id: string): undefined {
    this.end(this.standalone(id), 0);
  }

  /** Deletes a pod. `delay` is the milliseconds for which answers still show it. */
  end(pod: PodRecord, delay: number): void {
    const now = this.service.clock.now();
    pod.status.plan(now, { at: now + delay, value: "TERMINATED" });
    this.service.templates.noteEndOfUse(pod.template);
  }

  /** Puts a pod into ERROR, as if its container had failed for good. */
  fail(id: string, message = "container exited with an unrecoverable error"): void {
    const pod = this.record(id);
    const now = this.service.clock.now();
    pod.status.plan(now, { at: now, value: "ERROR" });
    this.service.logs.write(id, "system", message);
  }

  /** For tests: the environment with which the container booted. */
  environmentOf(id: string): Record<string, string> {
    return { ...this.record(id).bootEnv };
  }

  some(test: (pod: PodRecord) => boolean): boolean {
    return this.records().some(test);
  }

  holdsVolume(volumeId: string): boolean {
    return this.some((pod) => pod.mounts.network?.some((mount) => mount.volumeId === volumeId) ?? false);
  }

  record(id: string): PodRecord {
    const pod = this.all.get(id);
    if (!pod || this.isGone(pod)) throw notFound();
    return pod;
  }

  records(): PodRecord[] {
    return this.history().filter((pod) => !this.isGone(pod));
  }

  /** All pods that ever existed. */
  history(): PodRecord[] {
    return [...this.all.values()];
  }

  private isGone(pod: PodRecord): boolean {
    return pod.status.at(this.service.clock.now()) === "TERMINATED";
  }

  /** Refuses pods of a cluster: only the cluster's operations may change them (API: Pods, update and delete). */
  private standalone(id: string): PodRecord {
    const pod = this.record(id);
    if (pod.cluster)
      throw conflict(`pod belongs to cluster '${pod.cluster.id}': use the cluster's operations`);
    return pod;
  }

  private boot(pod: PodRecord, from: "PROVISIONING" | "STARTING"): void {
    const { clock, timings } = this.service;
    const now = clock.now();
    const starting = from === "PROVISIONING" ? now + timings.provisioning : now;
    pod.status.plan(
      now,
      ...(from === "PROVISIONING" ? [{ at: now, value: from }] : []),
      { at: starting, value: "STARTING" },
      { at: starting + timings.starting, value: "RUNNING" },
    );
    pod.boots += 1;
    pod.bootEnv = this.service.secrets.substitute(pod.container.env);
    const { wanted, ip } = pod.globalNetworking;
    pod.globalNetworking.ip = wanted ? (ip ?? `10.1.0.${this.records().length + 2}`) : null;
  }

  private checkHost(pod: PodRecord): void {
    const unit = pod.gpu ? { gpu: pod.gpu.id } : { cpu: pod.cpu?.id ?? "" };
    const count = pod.gpu?.count ?? pod.cpu?.vcpuCount ?? 0;
    if (this.service.capacity.free(unit, pod.dataCenterId) < count) throw badRequest(HOST_FULL);
  }

  private view(pod: PodRecord): Pod {
    // assumes: variable * /pods*
    const platformEnv = { RUNPOD_POD_ID: pod.id, RUNPOD_DC_ID: pod.dataCenterId };
    const seen = podView(pod, this.service.clock.now(), this.service.injectEnv ? platformEnv : {});
    return { ...seen, tags: this.service.tags.shown({ type: "POD", id: pod.id }) };
  }
}
