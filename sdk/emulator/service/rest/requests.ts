import { z } from "zod";

/**
 * The bodies of the REST interface. No object takes unknown properties, at any depth. Rules between fields that the
 * contract's schemas do not express belong to the state.
 */

export const name = z.string().min(1);
export const cudaVersion = z.string().regex(/^\d+\.\d+$/);
const cloud = z.enum(["SECURE", "COMMUNITY"]);
const volumeType = z.enum(["STANDARD", "HIGH_PERFORMANCE"]);

export const container = {
  image: z.string().optional(),
  args: z.string().optional(),
  entrypoint: z.array(z.string()).optional(),
  cmd: z.array(z.string()).optional(),
  disk: z.int().min(1).optional(),
  env: z.record(z.string(), z.string()).optional(),
  ports: z.array(z.string()).optional(),
  registry: z.string().nullable().optional(),
};

const persistentMount = z.strictObject({ size: z.int().min(10), path: z.string() });
const networkMount = z.strictObject({ volumeId: z.string(), path: z.string() });
const mounts = z.strictObject({
  persistent: persistentMount.optional(),
  network: z.array(networkMount).max(1).optional(),
});
export const cpu = z.strictObject({ id: z.string().min(1), vcpuCount: z.int().min(2) });

/** The template may give the image (API: Pods and Serverless, create). */
export function needsImage<S extends z.ZodObject>(schema: S): S {
  return schema
    .refine((body) => body.image !== undefined || body.templateId !== undefined, {
      message: "missing property 'image'",
    })
    .meta({ anyOf: [{ required: ["image"] }, { required: ["templateId"] }] });
}

export const createPod = needsImage(
  z.strictObject({
    name,
    ...container,
    cloud: cloud.optional(),
    cpu: cpu.optional(),
    dataCenterIds: z.array(z.string()).optional(),
    globalNetworking: z.boolean().optional(),
    gpu: z
      .strictObject({
        id: z.string(),
        count: z.int().min(1).optional(),
        allowedCudaVersions: z.array(cudaVersion).optional(),
        minCudaVersion: cudaVersion.optional(),
        minRamPerGpu: z.int().min(1).optional(),
        minVcpuCountPerGpu: z.int().min(1).optional(),
      })
      .optional(),
    mounts: mounts.optional(),
    startJupyter: z.boolean().optional(),
    startSsh: z.boolean().optional(),
    templateId: z.string().min(1).optional(),
  }),
);

const { registry, ...clusterContainer } = container;

export const createCluster = z.strictObject({
  name,
  type: z.enum(["APPLICATION", "TRAINING", "SLURM", "RAY"]),
  compute: z.strictObject({
    gpuTypeId: z.string().min(1),
    gpuCountPerPod: z.int().min(1),
    podCount: z.int().min(2).max(250),
  }),
  ...clusterContainer,
  dataCenterIds: z.array(z.string()).optional(),
  mounts: mounts.optional(),
  startJupyter: z.boolean().optional(),
  startSsh: z.boolean().optional(),
  templateId: z.string().min(1).optional(),
});

export const updateCluster = notEmpty(z.strictObject({ name: name.optional() }));

export const updatePod = z.strictObject({
  name: name.optional(),
  ...container,
  globalNetworking: z.boolean().optional(),
  locked: z.boolean().optional(),
  mounts: mounts.optional(),
  templateId: z.string().optional(),
});

export const podAction = z.strictObject({ action: z.enum(["start", "stop", "restart", "terminate"]) });

const template = {
  ...container,
  allowedCudaVersions: z.array(cudaVersion).optional(),
  category: z.enum(["CPU", "NVIDIA", "AMD"]).optional(),
  mounts: z.strictObject({ persistent: persistentMount.optional() }).optional(),
  public: z.boolean().optional(),
  serverless: z.boolean().optional(),
  startJupyter: z.boolean().optional(),
  startSsh: z.boolean().optional(),
};

export const createTemplate = z.strictObject({ ...template, name, image: z.string() });
export const updateTemplate = z.strictObject({ ...template, name: name.optional() });

const volumeSize = z.int().min(10).max(4096);

export const createVolume = z.strictObject({
  name,
  size: volumeSize,
  dataCenter: z.string().min(1),
  type: volumeType.optional(),
});

export const updateVolume = notEmpty(z.strictObject({ name: name.optional(), size: volumeSize.optional() }));

export const createRegistry = z.strictObject({
  name,
  username: z.string().min(1),
  password: z.string().min(1),
});

export const updateRegistry = notEmpty(createRegistry.omit({ name: true }).partial());

export const sshKeys = z.strictObject({
  keys: z.array(z.string().regex(/^(ssh|ecdsa|sk)-[^\s]+ [^\s]+([ \t][^\n\r]*)?$/)),
});

export const createSecret = z.strictObject({
  name: z.string(),
  value: z.string(),
  description: z.string().optional(),
});

export const updateSecret = notEmpty(
  z.strictObject({ value: z.string().optional(), description: z.string().optional() }),
);

export function notEmpty<S extends z.ZodObject>(schema: S): S {
  return schema
    .refine((body) => Object.keys(body).length > 0, { message: "minProperties: got 0, want 1" })
    .meta({ minProperties: 1 });
}
