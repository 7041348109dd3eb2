import { ofPlainKinds } from "../plain";
import type { Container } from "../state/container";
import type { EndpointRecord } from "../state/endpoints";
import { secretsIn } from "../state/secrets";
import type { Service } from "../state/service";
import { endpointFacts, podFacts, secretFacts, templateFacts, volumeFacts } from "./facts";
import type { Account, Kind, Link, Thing } from "./state";

/** All objects, the oldest of each kind first, so that new ones appear at the end. */
export function accountOf(service: Service): Account {
  const { registries, secrets, volumes, templates, endpoints, pods } = service;
  const plain = ofPlainKinds(({ page }, name) =>
    service.plain[name].list().map((one) => thing(page.kind, one, page.facts(one))),
  );
  const things: Thing[] = [
    ...registries.list().map((one) => ({ kind: "registry" as const, ...one, facts: [] })),
    ...secrets.list().map((one) => thing("secret", one, secretFacts(one))),
    ...volumes.list().map((one) => thing("volume", one, volumeFacts(one))),
    ...templates.list().map((one) => thing("template", one, templateFacts(one))),
    ...endpoints.records().map((one) => endpointThing(service, one)),
    ...pods.list().map((one) => ({ ...thing("pod", one, podFacts(one)), status: one.status })),
    ...Object.values(plain).flat(),
  ];
  return { things, links: linksOf(service, things) };
}

function thing(kind: Kind, { id, name }: { id: string; name: string | null }, facts: Thing["facts"]): Thing {
  return { id, kind, name: name ?? id, facts };
}

function endpointThing({ endpoints }: Service, { id }: EndpointRecord): Thing {
  const releases = endpoints.releases(id);
  const { endpointVersion, rollout } = releases;
  return {
    ...thing("endpoint", endpoints.get(id), endpointFacts(endpoints.get(id), releases)),
    status: rollout.inProgress ? `ROLLING OUT v${endpointVersion}` : `v${endpointVersion}`,
    workers: endpoints.workers(id).workers.map(({ id, status, version }) => ({ id, status, version })),
  };
}

/** An object that refers to others: by its container, its template and its volumes. */
interface User {
  id: string;
  container: Container;
  template?: string | null;
  volumes?: string[];
}

/** Leaves out links to public templates: the page shows only the account's own objects. */
function linksOf({ secrets, templates, endpoints, pods }: Service, things: Thing[]): Link[] {
  const existing = new Set(things.map(({ id }) => id));
  const secretIds = new Map(secrets.list().map(({ name, id }) => [name, id]));
  const users: User[] = [
    ...templates.list().map((template) => ({ id: template.id, container: template })),
    ...endpoints.records().map(({ id, template, settings }) => {
      const volumes = [...settings.networkVolumes, ...settings.globalVolumes];
      return { id, template, container: settings.container, volumes };
    }),
    ...pods.records().map(({ id, template, container, mounts }) => {
      return { id, template, container, volumes: mounts.network?.map(({ volumeId }) => volumeId) };
    }),
  ];
  return users.flatMap(({ id: from, container: { registry, env }, template, volumes = [] }) => {
    const uses: Record<Link["relation"], (string | null | undefined)[]> = {
      mounts: volumes,
      "made from": [template],
      "pulls with": [registry],
      "uses secret": secretsIn(env).map((name) => secretIds.get(name)),
    };
    return (Object.keys(uses) as Link["relation"][]).flatMap((relation) =>
      uses[relation].flatMap((to) => (to && existing.has(to) ? [{ from, relation, to }] : [])),
    );
  });
}
