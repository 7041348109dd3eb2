import type { CpuArgs } from "../../provider/resources/container/types";
import type { ServerlessEndpointArgs } from "../serverless-endpoint";
import { gpuOf, gpuRows } from "./endpoint-gpu";
import type { Parts } from "./mapping";
import { identity, mapping, part, response, secret, to } from "./mapping";
import type { Draft } from "./note";
import { isVcpuCount, vcpuRule, vcpus } from "./pod-placement";
import { dataCenters, environment, flag, number, object, oneOf, text, texts } from "./value";

/** (API: Serverless; the bodies and responses of REST v1) */
const table = {
  name: part(text),
  templateId: part(text),
  template: part(object),
  env: secret(to("env", environment)),

  computeType: part(oneOf("GPU", "CPU")),
  ...gpuRows,
  cpuFlavorIds: part(texts),
  vcpuCount: part(number),
  instanceIds: part(texts),
  dataCenterIds: to("dataCenterIds", dataCenters),

  workersMin: part(number),
  workersMax: part(number),
  idleTimeout: part(number),
  scalerType: part(oneOf("QUEUE_DELAY", "REQUEST_COUNT")),
  scalerValue: part(number),
  executionTimeoutMs: to("timeout", number),
  flashboot: part(flag),
  networkVolumeId: part(text),
  networkVolumeIds: part(texts),

  id: identity("endpoint", "another one, with other addresses"),
  createdAt: response(),
  userId: response(),
  version: response(),
  workers: response(),
};

type V1 = Parts<typeof table>;

export const serverlessEndpoint = mapping(table, (v1: V1, draft: Draft<ServerlessEndpointArgs>) => {
  nameAndFlashBoot(v1, draft);
  const type =
    'REST v1 did not say it. For a load balancer: "LOAD_BALANCER", which scales on "REQUEST_COUNT"';
  draft.add("type", "QUEUE", "type", type);
  copyTemplate(v1, draft);
  compute(v1, draft);
  scale(v1, draft);
  const { networkVolumeId, networkVolumeIds = [] } = v1;
  const volumes = new Set(
    networkVolumeId === undefined ? networkVolumeIds : [networkVolumeId, ...networkVolumeIds],
  );
  if (volumes.size > 0) draft.put("networkVolumes", [...volumes]);
});

/** In REST v1, the suffix `-fb` of the name turned FlashBoot on. (API: Behaviours, read-back and drift) */
function nameAndFlashBoot({ name, flashboot }: V1, draft: Draft<ServerlessEndpointArgs>): void {
  const suffixed = name !== undefined && /\S\s*-fb$/.test(name) && flashboot !== false;
  if (name !== undefined) draft.put("name", suffixed ? name.replace(/\s*-fb$/, "") : name);
  if (suffixed) draft.note("changed", "name", "the suffix -fb turned FlashBoot on: flashboot says so now");
  if (suffixed || flashboot === true) draft.put("flashboot", "FLASHBOOT");
  else if (flashboot === false) draft.put("flashboot", "OFF");
  else if (draft.isResponse) {
    draft.note("decide", "flashboot", 'the response does not say it: give flashboot, if it is not "OFF"');
  }
}

function copyTemplate(v1: V1, draft: Draft<ServerlessEndpointArgs>): void {
  const inner = v1.template?.id;
  const templateId = v1.templateId ?? (typeof inner === "string" ? inner : undefined);
  draft.omit(v1, ["template"], "templateId says it. To manage the template itself, convert it as a template");
  if (templateId === undefined) {
    draft.note("decide", "templateId", "is missing: give templateId or image");
    return;
  }
  draft.put("templateId", templateId);
  draft.note(
    "changed",
    v1.templateId === undefined ? "template" : "templateId",
    "the template is copied: its later edits do not reach the endpoint",
  );
}

function compute(v1: V1, draft: Draft<ServerlessEndpointArgs>): void {
  const ofCpu = ["cpuFlavorIds", "vcpuCount", "instanceIds"] as const;
  const flavors = v1.cpuFlavorIds ?? v1.instanceIds;
  const onCpu =
    v1.computeType === undefined
      ? v1.gpuTypeIds === undefined && flavors !== undefined
      : v1.computeType === "CPU";
  if (!onCpu) {
    draft.omit(v1, ["computeType"], "follows from gpu");
    draft.omit(v1, ofCpu, "REST v1 ignores it for a GPU endpoint");
    const gpu = gpuOf(v1, draft);
    if (gpu !== undefined) draft.put("gpu", gpu);
    return;
  }
  if (v1.computeType !== undefined && !draft.isResponse) {
    draft.note(
      "changed",
      "computeType",
      "REST v1 created a GPU endpoint all the same; this is a CPU endpoint",
    );
  } else {
    draft.omit(v1, ["computeType"], "follows from cpu");
  }
  draft.omit(v1, Object.keys(gpuRows), "REST v1 ignores it for a CPU endpoint");
  const cpu = cpuOf(v1, draft);
  if (cpu.length > 0) draft.put("cpu", cpu);
}

/** REST v1 takes CPU flavors with a number of vCPUs, or instances such as `cpu3c-8-16`. */
function cpuOf(v1: V1, draft: Draft<ServerlessEndpointArgs>): CpuArgs[] {
  if (v1.cpuFlavorIds !== undefined) {
    draft.omit(v1, ["instanceIds"], "cpuFlavorIds says it");
    const vcpuCount = vcpus(v1.vcpuCount, draft);
    return [...new Set(v1.cpuFlavorIds)].map((id) => ({ id, vcpuCount }));
  }
  draft.omit(v1, ["vcpuCount"], "instanceIds says it, or cpu is not complete: give it as cpu[0].vcpuCount");
  if (v1.instanceIds === undefined) {
    draft.note("decide", "cpuFlavorIds", "is missing: choose CPU flavors for cpu, such as cpu3c");
    return [];
  }
  return v1.instanceIds.flatMap((instance, index) => {
    const [, id, count] = /^(cpu\w+)-(\d+)-\d+$/.exec(instance) ?? [];
    if (id === undefined) {
      draft.note("decide", "instanceIds", "is no flavor with vCPUs and memory: left out", `[${index}]`);
      return [];
    }
    const vcpuCount = Number(count);
    if (!isVcpuCount(vcpuCount)) draft.note("decide", "instanceIds", vcpuRule, `[${index}]`);
    return [{ id, vcpuCount }];
  });
}

function scale(v1: V1, draft: Draft<ServerlessEndpointArgs>): void {
  const type = v1.scalerType ?? "QUEUE_DELAY";
  const value = v1.scalerValue ?? 4;
  if (v1.scalerType === undefined) draft.note("added", "scalerType", "the default of REST v1: QUEUE_DELAY");
  if (v1.scalerValue === undefined) draft.note("added", "scalerValue", "the default of REST v1: 4");
  draft.put("scaling", type === "QUEUE_DELAY" ? { type, queueDelay: value } : { type, requestCount: value });

  const idles = type === "QUEUE_DELAY";
  const idleTimeout = idles ? (v1.idleTimeout ?? (draft.isResponse ? undefined : 5)) : undefined;
  if (!idles && v1.idleTimeout !== undefined) {
    const text = "REST v2 has none for queues that scale on REQUEST_COUNT: workers go as requests do";
    draft.note("lost", "idleTimeout", text);
  }
  if (idleTimeout !== undefined && v1.idleTimeout === undefined) {
    draft.note("added", "idleTimeout", "the default of REST v1: 5 s. That of REST v2 is 10 s");
  }
  const { workersMin: min, workersMax: max } = v1;
  if ((min ?? 0) > (max ?? 3)) {
    draft.note("decide", "workersMin", "is above workers.max, which is 3 by default: choose both");
  }
  const workers = {
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(idleTimeout !== undefined && { idleTimeout }),
  };
  if (Object.keys(workers).length > 0) draft.put("workers", workers);
}
