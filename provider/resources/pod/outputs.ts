import { plain, type Shape } from "../../schema/shape";
import { unknownValue } from "../../value";
import { containerOutputs, cpuOutput, podOutputs } from "../container/outputs";
import type { PodArgs, PodRuntime, PodState } from "./types";

export const podShape: Shape<PodState, PodArgs> = {
  outputs: {
    ...containerOutputs,
    ...podOutputs,
    ...plain("status", "actions", "desiredStatus"),
    gpu: { id: undefined, count: 1, vcpuCount: unknownValue, memory: unknownValue },
    cpu: cpuOutput,
    ...plain("cloud", "placement", "cudaVersion", "ssh", "urls", "tcpAddresses", "runtime"),
    globalNetworking: { enabled: undefined, ip: unknownValue, internalDns: unknownValue },
    ...plain("cluster", "locked"),
    selfStop: { after: undefined, idle: undefined, action: "stop" },
    startedAt: undefined,
  },
  otherInputs: plain("placements", "capacityTimeout", "waitFor", "waitTimeout"),
  secretsWhenRead: ["env"],
};

/** The addresses of the http ports of a pod. Anything but a list of ports has none. (API: Pods, ports) */
export function urlsOf(id: string, ports: unknown): PodState["urls"] {
  const http = (Array.isArray(ports) ? ports : []).flatMap((port) => /^(\d+)\/http$/.exec(port)?.[1] ?? []);
  return Object.fromEntries(http.map((port) => [port, `https://${id}-${port}.proxy.runpod.net`]));
}

/** Where the published tcp ports of a running pod are reached. (API: Pods, runtime) */
export function tcpAddressesOf(runtime: PodRuntime | null | undefined): PodState["tcpAddresses"] {
  const addresses = (runtime?.ports ?? []).flatMap(({ type, private: inside, public: port, ip: host }) =>
    type === "tcp" && inside !== undefined && port && host ? [[inside, { host, port }] as const] : [],
  );
  return Object.fromEntries(addresses);
}
