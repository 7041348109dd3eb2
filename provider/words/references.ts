// Texts about objects that a resource names, and that do not fit to it.

export const volumeElsewhere = (where: string, asked: string) =>
  `the network volume of mounts.network[0] is in "${where}", not in ${asked}, and no pod elsewhere can mount it: allow "${where}" here, or ` +
  "give a volume in one of these data centers";

export const volumesElsewhere = (where: string, asked: string) =>
  `the network volumes are in ${where}, not in ${asked}, and workers run only where a volume is: allow that here, or give a volume in one ` +
  "of these data centers";

export const volumeTwice = (where: unknown, first: number) =>
  `is in "${where}", as networkVolumes[${first}] is, and an endpoint takes one volume in each data center: remove one of them`;

export const templateForEndpoints =
  "is a template for Serverless endpoints, not for pods: give one with serverless: false";

export const templateForPods = "is a template for pods, not for endpoints: give one with serverless: true";

export const readmeWouldOverwrite = (names: readonly string[]) =>
  `the service returned the template without ${names.join(", ")}, which saving a readme would overwrite. No readme was saved: run the ` +
  "command again in a minute";
