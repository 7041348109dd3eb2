import { extraTypeDefs } from "./extra-schema";

export interface SchemaOptions {
  /** Adds the part of the public schema that the service's guides do not use. */
  extras: boolean;
  /** The schema's name for the container arguments. */
  args: "containerArgs" | "dockerArgs";
}

/** The operations of the service's guides, with the names and nullability of the public schema. */
export function typeDefs({ extras, args }: SchemaOptions): string {
  // `containerArgs` is optional. `dockerArgs`, the name in the public schema, is required, and so is `env` beside it.
  const strict = args === "dockerArgs" ? "!" : "";
  return /* GraphQL */ `
    scalar Void
    scalar DateTime
    scalar Port

    enum CloudTypeEnum { SECURE COMMUNITY ALL }
    enum PodStatus { CREATED RUNNING RESTARTING EXITED PAUSED DEAD TERMINATED }

    type Query {
      myself: User
      pod(input: PodFilter): Pod
      gpuTypes(input: GpuTypeFilter): [GpuType]
    }

    type Mutation {
      podFindAndDeployOnDemand(input: PodFindAndDeployOnDemandInput): Pod
      podResume(input: PodResumeInput!): Pod
      podStop(input: PodStopInput!): Pod
      saveTemplate(input: SaveTemplateInput): PodTemplate
      deleteTemplate(templateName: String): Void
      secretCreate(input: SecretCreateInput!): Secret
      secretDelete(id: ID!): Void
    }

    type User {
      pods: [Pod]
    }

    input PodFilter { podId: String! }
    input PodStopInput { podId: String! }
    input PodResumeInput { podId: String! gpuCount: Int allowedCudaVersions: [String] }
    input EnvironmentVariableInput { key: String! value: String! }

    input PodFindAndDeployOnDemandInput {
      cloudType: CloudTypeEnum
      gpuCount: Int
      gpuTypeId: String
      volumeInGb: Int
      containerDiskInGb: Int
      minVcpuCount: Int
      minMemoryInGb: Int
      name: String
      imageName: String
      ${args}: String
      ports: String
      volumeMountPath: String
      env: [EnvironmentVariableInput]
      allowedCudaVersions: [String]
    }

    type Pod {
      id: String!
      name: String!
      imageName: String
      ${args}: String
      env: [String]
      ports: String
      machineId: String!
      machine: PodMachine
      desiredStatus: PodStatus!
      runtime: PodRuntime
      gpuCount: Int!
      vcpuCount: Float!
      memoryInGb: Float!
      containerDiskInGb: Int
      volumeInGb: Float
      volumeMountPath: String
      costPerHr: Float!
      templateId: String
      networkVolumeId: String
      containerRegistryAuthId: String
    }

    type PodMachine { podHostId: String }
    type PodRuntime { uptimeInSeconds: Int ports: [PodRuntimePort] gpus: [PodRuntimeGpu] container: PodRuntimeContainer }
    type PodRuntimePort { ip: String isIpPublic: Boolean privatePort: Int publicPort: Int type: String }
    type PodRuntimeGpu { id: String gpuUtilPercent: Float memoryUtilPercent: Float }
    type PodRuntimeContainer { cpuPercent: Float memoryPercent: Float }

    input SaveTemplateInput {
      id: String
      name: String!
      imageName: String
      containerDiskInGb: Int!
      volumeInGb: Int!
      volumeMountPath: String
      ${args}: String${strict}
      env: [EnvironmentVariableInput]${strict}
      ports: String
      readme: String
      isServerless: Boolean
      containerRegistryAuthId: String
    }

    type PodTemplate {
      id: String
      name: String
      imageName: String
      ${args}: String
      env: [EnvironmentVariable]
      ports: String
      volumeMountPath: String
      volumeInGb: Int
      containerDiskInGb: Int
      containerRegistryAuthId: String
      isServerless: Boolean
      readme: String
    }

    type EnvironmentVariable { key: String value: String }

    input SecretCreateInput { name: String! value: String! }
    type Secret { id: ID! name: String! description: String }

    input GpuTypeFilter { id: String }
    input GpuLowestPriceInput { gpuCount: Int! secureCloud: Boolean }

    type GpuType {
      id: String
      displayName: String
      memoryInGb: Int
      secureCloud: Boolean
      communityCloud: Boolean
      lowestPrice(input: GpuLowestPriceInput): LowestPrice
    }

    type LowestPrice { stockStatus: String uninterruptablePrice: Float availableGpuCounts: [Int] }
  ${extras ? extraTypeDefs(args, strict) : ""}`;
}
