import type { PodState } from "./types";

/** The addresses of the http ports of a pod. Anything but a list of ports has none. (API: Pods, ports) */
export function urlsOf(id: string, ports: unknown): PodState["urls"] {
  const http = (Array.isArray(ports) ? ports : []).flatMap((port) => /^(\d+)\/http$/.exec(port)?.[1] ?? []);
  return Object.fromEntries(http.map((port) => [port, `https://${id}-${port}.proxy.runpod.net`]));
}
