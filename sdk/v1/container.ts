import type { ContainerArgs, PersistentMountArgs } from "../../provider/resources/container/types";
import { part, secret, to } from "./mapping";
import type { Draft } from "./note";
import { environment, number, ports, text, words } from "./value";

/** Container keys of REST v1: pods and templates have them. */
export const containerRows = {
  imageName: to("image", text),
  image: to("image", text),
  dockerArgs: secret(to("args", text)),
  dockerStartCmd: secret(to("cmd", words)),
  dockerEntrypoint: secret(to("entrypoint", words)),
  containerDiskInGb: to("disk", number),
  env: secret(to("env", environment)),
  ports: to("ports", ports),
  containerRegistryAuthId: to("registry", text),
  volumeInGb: part(number),
  volumeMountPath: part(text),
};

/** REST v2 takes a command in one form. */
export function oneCommand(draft: Draft<ContainerArgs>): void {
  const { args } = draft;
  if (args.args === undefined || (args.entrypoint ?? args.cmd) === undefined) return;
  delete args.args;
  draft.note(
    "decide",
    "dockerArgs",
    "dockerEntrypoint and dockerStartCmd say the command: left out. Remove one of them",
  );
}

/** The default mount path of REST v1. */
const workspace = "/workspace";

/** Writes out the defaults of REST v1 for a container. */
export function containerDefaults(draft: Draft<ContainerArgs>): void {
  const { args } = draft;
  if (args.disk === undefined) draft.add("disk", 50, "containerDiskInGb", "the default of REST v1: 50 GB");
  if (args.ports === undefined) {
    draft.add(
      "ports",
      ["8888/http", "22/tcp"],
      "ports",
      "REST v1 exposed these two by default, REST v2 exposes nothing: remove those that you do not need",
    );
  }
}

interface Storage {
  readonly volumeInGb?: number;
  readonly volumeMountPath?: string;
}

/** Host-local storage. `byDefault` is the default size of REST v1 in GB; undefined where it had none. */
export function persistentStorage(
  { volumeInGb, volumeMountPath }: Storage,
  draft: Draft<object>,
  byDefault: number | undefined,
): PersistentMountArgs | undefined {
  const size = volumeInGb ?? byDefault ?? 0;
  if (size <= 0) {
    draft.omit({ volumeInGb }, ["volumeInGb"], "no storage");
    draft.omit({ volumeMountPath }, ["volumeMountPath"], "there is no storage to mount");
    return undefined;
  }
  if (volumeInGb === undefined) {
    draft.note(
      "added",
      "volumeInGb",
      `the default of REST v1: ${size} GB. REST v2 keeps nothing by default: remove mounts if that will do`,
    );
  } else if (size < 10) {
    draft.note("changed", "volumeInGb", "REST v2 has no storage below 10 GB: it is 10 GB now");
  }
  return { size: Math.max(size, 10), path: mountPath(volumeMountPath, draft) };
}

export function mountPath(path: string | undefined, draft: Draft<object>): string {
  if (path !== undefined) return path;
  draft.note("added", "volumeMountPath", `the default of REST v1: ${workspace}. REST v2 has none`);
  return workspace;
}
