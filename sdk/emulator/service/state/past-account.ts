import { ofPlainKinds, type Plain } from "../plain";
import type { Objects, Stored } from "../plain/objects";
import { publicTemplates } from "./public-templates";
import { isNamed } from "./secrets";
import type { Service } from "./service";

/** All objects just before a write, as answers show them. */
export type Moment = ReturnType<typeof momentOf>;

export function momentOf(service: Service) {
  const templates = service.templates.list();
  return {
    /** Milliseconds since 1970. */
    until: service.clock.now(),
    ...service.snapshot(),
    pods: service.pods.list({ clusterPods: true }),
    templates,
    extras: new Map(templates.map(({ id }) => [id, service.templates.extras(id)])),
  };
}

/** The account whose lists and single reads show that moment. Everything else is the present account. */
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
      extras: (id) => then.extras.get(id) ?? templates.extras(NOBODY),
    }),
    secrets: but(service.secrets, {
      list: (name?: string) => then.secrets.filter(isNamed(name)),
      get: one(then.secrets, service.secrets),
    }),
    clusters: whole(service.clusters, then.clusters),
    endpoints: whole(service.endpoints, then.endpoints),
    volumes: whole(service.volumes, then.networkVolumes),
    registries: whole(service.registries, then.registries),
    plain: ofPlainKinds((_kind, name) =>
      whole<Stored, Objects<Stored>>(service.plain[name], then[name]),
    ) as unknown as Plain,
  });
}

interface Kind<T> {
  list(): T[];
  get(id: string): T;
}

/** An id that no object ever has. */
const NOBODY = "";

/** A single read. For an object that did not exist yet, the live collection makes its own "not found" error. */
const one =
  <T extends { id: string }>(then: T[], live: { get(id: string): T }) =>
  (id: string): T =>
    then.find((item) => item.id === id) ?? live.get(NOBODY);

function whole<T extends { id: string }, K extends Kind<T>>(live: K, then: T[]): K {
  return Object.assign(Object.create(live) as K, { list: () => then, get: one(then, live) });
}

/** The same object with some of its methods replaced. */
function but<T extends object, K extends keyof T>(live: T, changed: Pick<T, K>): T {
  return Object.assign(Object.create(live) as T, changed);
}
