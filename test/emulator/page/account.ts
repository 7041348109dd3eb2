import type { Container } from "../state/container";
import type { EndpointRecord } from "../state/endpoints";
import { secretsIn } from "../state/secrets";
import type { Service } from "../state/service";
import { delegationFacts, endpointFacts, podFacts, secretFacts, templateFacts, volumeFacts } from "./facts";
import type { Account, Kind, Link, Thing } from "./state";

/** Everything that exists, oldest first in each kind, so that what is new comes last. */
export function accountOf(service: Service): Account {
  const { registries, delegations, secrets, volumes, templates, endpoints, pods } = service;
  const things: Thing[] = [
    ...registries.list().map((one) => ({ kind: "registry" as const, ...one, facts: [] })),
    ...delegations.list().map((one) => thing("delegation", one, delegationFacts(one))),
    ...secrets.list().map((one) => thing("secret", one, secretFacts(one))),
    ...volumes.list().map((one) => thing("volume", one, volumeFacts(one))),
    ...templates.list().map((one) => thing("template", one, templateFacts(one))),
    ...endpoints.records().map((one) => endpointThing(service, one)),
    ...pods.list().map((one) => ({ ...thing("pod", one, podFacts(one)), status: one.status })),
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

/** Public templates are not the account's, so that links to them lead nowhere and are left out. */
function linksOf(service: Service, things: Thing[]): Link[] {
  const existing = new Set(things.map(({ id }) => id));
  const secretIds = new Map(service.secrets.list().map(({ name, id }) => [name, id]));
  const linksFrom = (
    from: string,
    { registry, env }: Container,
    template: string | null,
    volumes: string[],
  ) =>
    [
      ...volumes.map((to) => ({ from, relation: "mounts" as const, to })),
      { from, relation: "made from" as const, to: template ?? "" },
      { from, relation: "pulls with" as const, to: registry ?? "" },
      ...secretsIn(env).map((name) => ({
        from,
        relation: "uses secret" as const,
        to: secretIds.get(name) ?? "",
      })),
    ].filter(({ to }) => existing.has(to));
  return [
    ...service.templates.list().flatMap((template) => linksFrom(template.id, template, null, [])),
    ...service.endpoints
      .records()
      .flatMap(({ id, settings, template }) =>
        linksFrom(id, settings.container, template, settings.networkVolumes),
      ),
    ...service.pods.records().flatMap(({ id, container, template, mounts }) =>
      linksFrom(
        id,
        container,
        template,
        (mounts.network ?? []).map(({ volumeId }) => volumeId),
      ),
    ),
  ];
}
