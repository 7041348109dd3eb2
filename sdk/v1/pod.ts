import { retiredNames } from "../../provider/schema/retired-names";
import type { PodArgs } from "../pod";
import { containerDefaults, containerRows, mountPath, oneCommand, persistentStorage } from "./container";
import type { Parts } from "./mapping";
import { identity, lost, mapping, part, response, to } from "./mapping";
import type { Draft } from "./note";
import { cloudOf, isCpuPod, place, placementRows, stringIn } from "./pod-placement";
import { flag, object, oneOf, text } from "./value";

/** (API: Pods; the bodies and responses of REST v1) */
const table = {
  name: to("name", text),
  ...containerRows,
  templateId: part(text),
  startSsh: to("startSsh", flag),
  startJupyter: to("startJupyter", flag),

  ...placementRows,

  globalNetworking: part(flag),
  networkVolumeId: part(text),
  networkVolume: part(object),
  volumeEncrypted: lost(retiredNames.volumeEncrypted),
  locked: to("locked", flag),
  desiredStatus: part(oneOf("RUNNING", "EXITED", "TERMINATED")),
  endpointId: part(text),
  aiApiId: part(text),

  id: identity("pod"),
  adjustedCostPerHr: response(),
  consumerUserId: response(),
  costPerHr: response(),
  createdAt: response(),
  lastStartedAt: response(),
  lastStatusChange: response(),
  machineId: response(retiredNames.machineId),
  memoryInGb: response(),
  portMappings: response(),
  publicIp: response(),
  savingsPlans: response("savings plans are bought in the console; no program declares them"),
  slsVersion: response(),
};

type V1 = Parts<typeof table>;

export const pod = mapping(table, (v1: V1, draft: Draft<PodArgs>) => {
  const onCpu = isCpuPod(v1);
  oneCommand(draft);
  place(v1, draft, onCpu);
  mount(v1, draft, onCpu);
  connect(v1, draft, onCpu);
  if (v1.templateId !== undefined) {
    draft.put("templateId", v1.templateId);
    draft.note("changed", "templateId", "the template is copied: its later edits do not reach the pod");
  } else {
    if (draft.args.image === undefined) {
      draft.note("decide", "imageName", "is missing: give image or templateId");
    }
    // The defaults of REST v1 for CPU pods are not known.
    if (!draft.isResponse && !onCpu) containerDefaults(draft);
  }
  if (v1.desiredStatus === "EXITED") draft.put("desiredStatus", "EXITED");
  if (v1.desiredStatus === "RUNNING") draft.note("omitted", "desiredStatus", "pods run by default");
  if (v1.desiredStatus === "TERMINATED")
    draft.note("decide", "desiredStatus", "the pod is gone: leave it out");
  const worker = "this is a worker of a serverless endpoint: convert the endpoint, not its pods";
  if (v1.endpointId !== undefined) draft.note("decide", "endpointId", worker);
  if (v1.aiApiId !== undefined) draft.note("decide", "aiApiId", worker);
});

function mount(v1: V1, draft: Draft<PodArgs>, onCpu: boolean): void {
  const volumeId = v1.networkVolumeId ?? stringIn(v1.networkVolume, "id");
  if (v1.networkVolumeId !== undefined || volumeId === undefined) {
    draft.omit(v1, ["networkVolume"], "networkVolumeId says it");
  }
  if (volumeId !== undefined) {
    if (cloudOf(v1) === "COMMUNITY") {
      draft.note(
        "decide",
        "networkVolumeId",
        "network volumes are in the Secure cloud only: remove mounts or cloud",
      );
    }
    draft.put("mounts", { network: [{ volumeId, path: mountPath(v1.volumeMountPath, draft) }] });
    draft.omit(v1, ["volumeInGb"], "a network volume takes the place of the pod's own");
  } else if (onCpu) {
    const text = "a CPU pod has no storage of its own in REST v2: mount a network volume";
    if (v1.volumeInGb !== undefined && v1.volumeInGb > 0) draft.note("lost", "volumeInGb", text);
    else draft.omit(v1, ["volumeInGb"], "no storage");
    draft.omit(v1, ["volumeMountPath"], "there is no storage to mount");
  } else if (v1.templateId !== undefined && v1.volumeInGb === undefined && v1.volumeMountPath !== undefined) {
    const text = "mounts need a size, too: give mounts.persistent with the size of the template's storage";
    draft.note("decide", "volumeMountPath", text);
  } else {
    const byDefault = draft.isResponse || v1.templateId !== undefined ? undefined : 20;
    const persistent = persistentStorage(v1, draft, byDefault);
    if (persistent !== undefined) draft.put("mounts", { persistent });
  }
}

/** (API: Pods, create) */
function connect({ globalNetworking, gpuTypeIds = [] }: V1, draft: Draft<PodArgs>, onCpu: boolean): void {
  if (globalNetworking === undefined) return;
  if (globalNetworking && (onCpu || gpuTypeIds.some((id) => id.startsWith("AMD")))) {
    draft.note("lost", "globalNetworking", "only NVIDIA GPUs have it: left out");
  } else draft.put("globalNetworking", globalNetworking);
}
