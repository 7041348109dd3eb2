import type { TemplateArgs } from "../template";
import { containerDefaults, containerRows, oneCommand, persistentStorage } from "./container";
import type { Parts } from "./mapping";
import { identity, mapping, response, to } from "./mapping";
import type { Draft } from "./note";
import { flag, oneOf, text } from "./value";

/** (API: Templates; the bodies and responses of REST v1) */
const table = {
  name: to("name", text),
  ...containerRows,
  isServerless: to("serverless", flag),
  isPublic: to("public", flag),
  category: to("category", oneOf("CPU", "NVIDIA", "AMD")),
  readme: to("readme", text),

  id: identity("template", "another one, which needs another name"),
  earned: response(),
  isRunpod: response(),
  runtimeInMin: response(),
  userId: response(),
};

type V1 = Parts<typeof table>;

export const template = mapping(table, (v1: V1, draft: Draft<TemplateArgs>) => {
  oneCommand(draft);
  if (draft.args.image === undefined) draft.note("decide", "imageName", "is missing: give image");
  if (draft.args.serverless !== true) {
    const persistent = persistentStorage(v1, draft, draft.isResponse ? undefined : 20);
    if (persistent !== undefined) draft.put("mounts", { persistent });
  } else {
    const text = "a serverless template has no storage of its own: give the endpoint network volumes";
    if (v1.volumeInGb !== undefined && v1.volumeInGb > 0) draft.note("lost", "volumeInGb", text);
    else draft.omit(v1, ["volumeInGb"], "no storage");
    draft.omit(v1, ["volumeMountPath"], "workers have network volumes at /runpod-volume");
  }
  if (!draft.isResponse) containerDefaults(draft);
});
