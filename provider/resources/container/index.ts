import * as z from "zod";
import type { Observed } from "../../core/kind";
import { expiryOutputs } from "../../core/state/expiry";
import { withoutPlatform } from "../../core/state/platform";
import { at } from "../../path";
import { change, type Fields, type FieldTable, replace, setting, timeout, update } from "../../schema/field";
import { cpuInstance, cpuOf } from "../../schema/forms";
import { measured } from "../../schema/schemas";
import { isBlank, isEmpty, isUnknown, type Properties } from "../../value";
import type { ContainerArgs } from "./types";

/** Any non-empty name. */
export const name = z.string().min(1);

/** A text whose outer white space the service would remove, so that it would come back changed. */
export const isTrimmed: [(text: string) => boolean, string] = [
  (text) => text.trim() === text,
  "must not begin or end with white space, which the service removes",
];

/** A text of at most so many characters, without outer white space. */
export const trimmed = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine(...isTrimmed);

/** The service accepts lower-case ids but then misbehaves. (API: Behaviours, creation and capacity) */
export const dataCenterId = z
  .string()
  .regex(/^[A-Z0-9-]+$/, 'must be a data center id in upper case, such as "EU-RO-1"');

/** CUDA versions are compared by major and minor number. */
export const cudaVersion = z.string().regex(/^\d+\.\d+$/, 'must be a CUDA version such as "12.8"');

/** An image has an upper-case letter between its registry and its tag. */
const hasUpperCase = (text: string) => /^[^:@]*[A-Z]/.test(text.replace(/^[^/]*[.:][^/]*\//, ""));

/** No registry has an image of another form, and the service refuses what it does not find there. (API: Behaviours, creation and capacity) */
export const image = z
  .string()
  .min(1, { abort: true })
  .regex(/^(?!.*:\/\/)\S*$/, {
    error: 'must be an image such as "ghcr.io/acme/worker:1", with neither https:// nor white space',
    abort: true,
  })
  // A variable that is not set leaves the rest: `ghcr.io/acme/worker:$TAG`, `$REGISTRY/worker:1`.
  .refine((text) => !text.split(/[/:@]/).includes(""), "lacks a part, such as a name or a tag")
  .refine((text) => !hasUpperCase(text), "must be in lower case before its tag");

/** From 70000 on, a tcp port asks for one that has the same number inside and outside. (API: Pods, ports) */
const port = z
  .string()
  .regex(/^([1-9]\d{0,4})\/(http|tcp)$/, {
    error: 'must be port/protocol with protocol http or tcp, such as "8888/http"',
    abort: true,
  })
  .refine(
    (text) => Number.parseInt(text, 10) <= 65535 || /^[7-9]\d{4}\/tcp$/.test(text),
    'must be a port from 1 to 65535, or from "70000/tcp" on, for one with the same number inside and outside',
  );

/** Words of a command. `args` may say the same as JSON. (API: shared container fields) */
const words = update(z.array(z.string()).optional(), {
  cleared: [],
  exact: true,
  mayBeSecret: true,
  givenBy: ["args"],
});

const absolutePath = z.string().regex(/^\//, 'must be an absolute path, such as "/workspace"');

/** (API: shared container fields) */
export const containerFields: Fields<ContainerArgs> = {
  image: update(image.optional()),
  // assumes: value * *: *args
  args: update(z.string().optional(), { cleared: "", mayBeSecret: true, givenBy: ["entrypoint", "cmd"] }),
  // assumes: field, value * *: *entrypoint, *cmd
  entrypoint: words,
  cmd: words,
  disk: update(measured("GB", z.int().min(1)).optional()),
  env: update(z.record(z.string().min(1), z.string()).optional(), { cleared: {}, shared: true }),
  // assumes: value * *: *ports
  ports: update(z.array(port).optional(), { cleared: [] }),
  registry: update(z.string().min(1).optional(), { cleared: null }),
};

const cpuFlavor = z
  .string()
  .min(1)
  .refine((id) => !cpuInstance.test(id), {
    error: ({ input }) => `must be a CPU flavor: write ${cpuOf(String(input))}`,
  });

/** A pool of GPU types, such as `ADA_24` or `ADA_48_PRO`. No GPU type has such an id. */
export const isGpuPool = (id: unknown) => /^[A-Z]+_\d+(_[A-Z]+)?$/.test(String(id));

export const gpuTypeId = z
  .string()
  .min(1)
  .refine(
    (id) => !isGpuPool(id),
    "must be a GPU type, since only endpoints take GPU pools: `npx podlumi gpus` shows the types in each pool",
  );

export const cpu = z.strictObject({
  id: cpuFlavor,
  vcpuCount: z
    .int()
    .min(2)
    .refine((count) => Number.isInteger(Math.log2(count)), "must be a power of two"),
});

export const persistentMount = z.strictObject({ size: measured("GB", z.int().min(10)), path: absolutePath });

const networkMount = z.strictObject({ volumeId: z.string().min(1), path: absolutePath });

/** The kinds of storage in `mounts`. */
export const mountKeys = ["persistent", "network"] as const;

/** True if `mounts` has this kind of storage; undefined while that is not known. */
export function holdsMount(mounts: unknown, key: (typeof mountKeys)[number]): boolean | undefined {
  const mount = isUnknown(mounts) ? mounts : at(mounts, key);
  return isUnknown(mount) ? undefined : !isBlank(mount);
}

/**
 * SSH and Jupyter of a pod: set when it is created, and never returned. A template's own flags, true by default, count when it creates the
 * pod. (API: Pods, create; Clusters, create; Templates)
 */
const podFlag = replace(z.boolean().optional(), { cleared: false, writeOnly: true, givenBy: ["templateId"] });

/** Arguments of pods, single or in a cluster. (API: Pods, create; Clusters, create) */
export const podsFields = {
  capacityTimeout: timeout(0),
  waitFor: setting(z.enum(["RUNNING", "NONE"]).optional()),
  waitTimeout: timeout(),
  startSsh: podFlag,
  startJupyter: podFlag,
  templateId: replace(z.string().min(1).optional(), {
    cleared: undefined,
    writeOnly: true,
    givesSettings: [...Object.keys(containerFields), "mounts"],
  }),
  // The service applies a template's mounts and SSH flags only when it creates a pod, so a new revision replaces the pod. A revision
  // that is given for the first time only goes into the state.
  templateRevision: change(
    z.string().min(1).optional(),
    (from) => (from === undefined ? "update" : "replace"),
    { writeOnly: true, notInBody: true },
  ),
} satisfies FieldTable;

/** Storage of a pod. (API: Pods, create; Clusters, create) */
export const podMounts = z.strictObject({
  persistent: persistentMount.optional(),
  network: z.array(networkMount).max(1).optional(),
});

/** The one form in which a program writes the command of an object: as lists where `args` is JSON, otherwise as `args`. */
export function commandOf({ args, entrypoint, cmd }: Observed): Properties {
  const isJson = /^\s*\{/.test(String(args)) && !(isEmpty(entrypoint) && isEmpty(cmd));
  return isJson ? { args: undefined } : { entrypoint: undefined, cmd: undefined };
}

/** The CUDA constraints of `gpu`. (API: Pods, create; Serverless, create) */
export const cudaConstraints = {
  allowedCudaVersions: z.array(cudaVersion).optional(),
  minCudaVersion: cudaVersion.optional(),
};

/** The values of arguments in an object with its own mark, which is a variable. */
export const writtenSettings = ({ env, name, ...observed }: Observed): Properties => ({
  ...expiryOutputs({ env, name }),
  ...commandOf(observed),
  env: withoutPlatform(env),
});
