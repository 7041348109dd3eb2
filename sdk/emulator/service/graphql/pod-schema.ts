/**
 * The public schema of pods, beyond the service's guides. (differs, GraphQL: it accepts these inputs, but they
 * have no effect: aiApiId, bindEndpoint, compliance, config, deployCost, flashEnvironmentId, ideAiApiId, minDisk,
 * minDownload, minMemoryInGb, minUpload, minVcpuCount, port, savingsPlan, stopAfter, supportPublicIp, terminateAfter,
 * volumeKey, workersPFBTarget, cloudStorageConfig. An endpoint does not follow later edits of its template. There are
 * no spot prices, and no models. createNetworkVolume takes a variable for dataCenterId that may be null: one of the
 * vendor's providers sends that, the schema of the other refuses it.)
 */
export const podTypes = (args: string): string => /* GraphQL */ `
    enum ComputeType { CPU GPU }
    enum PodType { INTERRUPTABLE RESERVED BID BACKGROUND }

    extend type Mutation {
      podTerminate(input: PodTerminateInput!): Void
      podEditJob(input: PodEditJobInput!): Pod
      deployCpuPod(input: deployCpuPodInput!): Pod
    }

    input PodTerminateInput { podId: String! }
    input SavingsPlanInput { planLength: String upfrontCost: Float }

    extend input PodFindAndDeployOnDemandInput {
      aiApiId: String
      computeType: ComputeType
      containerRegistryAuthId: String
      countryCode: String
      cudaVersion: String
      dataCenterId: String
      deployCost: Float
      globalNetwork: Boolean
      gpuTypeIdList: [String]
      ideAiApiId: String
      instanceIds: [String]
      minCudaVersion: String
      minDisk: Int
      minDownload: Int
      minUpload: Int
      modelReferences: [String]
      networkVolumeId: String
      port: Port
      savingsPlan: SavingsPlanInput
      startJupyter: Boolean
      startSsh: Boolean
      stopAfter: DateTime
      supportPublicIp: Boolean
      templateId: String
      terminateAfter: DateTime
      volumeKey: String
    }

    input deployCpuPodInput {
      instanceId: String!
      cloudType: CloudTypeEnum
      containerDiskInGb: Int = 10
      containerRegistryAuthId: String
      countryCode: String
      dataCenterId: String
      deployCost: Float
      ${args}: String
      env: [EnvironmentVariableInput]
      imageName: String
      minDisk: Int
      minDownload: Int
      minUpload: Int
      name: String
      networkVolumeId: String
      ports: String
      startJupyter: Boolean
      startSsh: Boolean
      stopAfter: DateTime
      supportPublicIp: Boolean
      templateId: String
      terminateAfter: DateTime
      volumeKey: String
      volumeMountPath: String
    }

    input PodEditJobInput {
      podId: String!
      imageName: String!
      containerDiskInGb: Int!
      ${args}: String
      env: [EnvironmentVariableInput]
      port: Port
      ports: String
      volumeInGb: Int
      volumeMountPath: String
      containerRegistryAuthId: String
    }

    extend type Pod {
      dockerId: String
      lastStatusChange: String
      podType: PodType
      port: Port
      uptimeSeconds: Int
    }

    extend type PodMachine { gpuDisplayName: String }
  `;
