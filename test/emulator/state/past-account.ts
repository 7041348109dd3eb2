import { publicTemplates } from "./public-templates";
import { isNamed } from "./secrets";
import type { Service } from "./service";

/** What there was until a write, as answers show it. */
export type Moment = ReturnType<typeof momentOf>;

export function momentOf(service: Service) {
  const templates = service.templates.list();
  return {
    /** Milliseconds since 1970. */
    until: service.clock.now(),
    ...service.snapshot(),
    pods: service.pods.list({ clusterPods: true }),
    templates,
    readmes: new Map(templates.map(({ id }) => [id, service.templates.readme(id)])),
  };
}

/** The account with the lists and the single reads of that moment, and with everything else as it is now. */
export function accountAt(service: Service, then: Moment): Service {
  const { pods, templates } = service;
  const pod = one(then.pods, pods);
  const template = one(then.templates, templates);
  const isPublic = (id: string) => publicTemplates.some((template) => template.id === id);
  return but(service, {
    pods: but(pods, {
      list: ({ clusterPods = false } = {}) => then.pods.filter((pod) => clusterPods || !pod.cluster),
      get: pod,
      has: (id) => then.pods.some((pod) => pod.id === id),
    }),
    templates: but(templates, {
      list: () => then.templates,
      get: (id) => (isPublic(id) ? templates.get(id) : template(id)),
      readme: (id) => then.readmes.get(id) ?? "",
    }),
    secrets: but(service.secrets, {
      list: (name?: string) => then.secrets.filter(isNamed(name)),
      get: one(then.secrets, service.secrets),
    }),
    clusters: whole(service.clusters, then.clusters),
    endpoints: whole(service.endpoints, then.endpoints),
    volumes: whole(service.volumes, then.networkVolumes),
    registries: whole(service.registries, then.registries),
    delegations: whole(service.delegations, then.delegations),
  });
}

interface Kind<T> {
  list(): T[];
  get(id: string): T;
}

/** Of nothing that ever existed. */
const NOBODY = "";

/** A single read. What was not there yet is refused in the words of its kind. */
const one =
  <T extends { id: string }>(then: T[], live: { get(id: string): T }) =>
  (id: string): T =>
    then.find((item) => item.id === id) ?? live.get(NOBODY);

function whole<T extends { id: string }, K extends Kind<T>>(live: K, then: T[]): K {
  return Object.assign(Object.create(live) as K, { list: () => then, get: one(then, live) });
}

/** The same object but for some of its methods. */
function but<T extends object, K extends keyof T>(live: T, changed: Pick<T, K>): T {
  return Object.assign(Object.create(live) as T, changed);
}
