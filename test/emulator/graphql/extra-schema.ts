/** What the public schema has beyond the specification, as far as the emulator supports it. */
export function extraTypeDefs(args: string): string {
  return /* GraphQL */ `
    enum TemplateCategory { CPU GPU NVIDIA AMD }
    enum StorageType { CEPH_FS DDN MOOSE_FS ONE_FS PURE VAST }

    extend type User {
      id: String
      email: String
      pubKey: String
      clientBalance: Float
      currentSpendPerHr: Float
      endpoints: [Endpoint]!
      networkVolumes: [NetworkVolume]
      containerRegistryCreds: [ContainerRegistryAuth]
      podTemplates: [PodTemplate]
      secrets: [Secret!]!
    }

    extend type Mutation {
      podTerminate(input: PodTerminateInput!): Void
      podEditJob(input: PodEditJobInput!): Pod
      deployCpuPod(input: deployCpuPodInput!): Pod
      createNetworkVolume(input: CreateNetworkVolumeInput!): NetworkVolume
      updateNetworkVolume(input: UpdateNetworkVolumeInput!): NetworkVolume
      deleteNetworkVolume(input: DeleteNetworkVolumeInput!): Void
      saveRegistryAuth(input: SaveRegistryAuthInput): ContainerRegistryAuth
      updateRegistryAuth(input: UpdateRegistryAuthInput): ContainerRegistryAuth
      deleteRegistryAuth(registryAuthId: String): Void
      secretValueUpdate(input: SecretValueUpdateInput!): Secret
      secretDescriptionUpdate(input: SecretDescriptionUpdateInput!): Secret
    }

    input PodTerminateInput { podId: String! }

    extend input PodFindAndDeployOnDemandInput {
      gpuTypeIdList: [String]
      templateId: String
      networkVolumeId: String
      dataCenterId: String
      containerRegistryAuthId: String
      startSsh: Boolean
      startJupyter: Boolean
      minCudaVersion: String
      globalNetwork: Boolean
    }

    input deployCpuPodInput {
      instanceId: String!
      name: String
      imageName: String
      containerDiskInGb: Int = 10
      ${args}: String
      env: [EnvironmentVariableInput]
      ports: String
      cloudType: CloudTypeEnum
      dataCenterId: String
      networkVolumeId: String
      volumeMountPath: String
      templateId: String
      containerRegistryAuthId: String
      startSsh: Boolean
      startJupyter: Boolean
    }

    input PodEditJobInput {
      podId: String!
      imageName: String!
      containerDiskInGb: Int!
      ${args}: String
      env: [EnvironmentVariableInput]
      ports: String
      volumeInGb: Int
      volumeMountPath: String
      containerRegistryAuthId: String
    }

    extend input SaveTemplateInput {
      isPublic: Boolean
      startSsh: Boolean
      startJupyter: Boolean
      category: TemplateCategory
    }

    extend type PodTemplate {
      isPublic: Boolean
      startSsh: Boolean
      startJupyter: Boolean
      category: String
    }

    extend input SecretCreateInput { description: String }
    extend type Secret { createdAt: DateTime! updatedAt: DateTime }
    input SecretValueUpdateInput { id: ID! value: String! }
    input SecretDescriptionUpdateInput { id: ID! description: String! }

    type ContainerRegistryAuth { id: String name: String }
    input SaveRegistryAuthInput { name: String! username: String! password: String! }
    input UpdateRegistryAuthInput { id: String! username: String! password: String! }

    type NetworkVolume { id: String name: String size: Int dataCenterId: String storageType: StorageType }
    input CreateNetworkVolumeInput { name: String size: Int dataCenterId: String! isNextGenStorage: Boolean }
    input UpdateNetworkVolumeInput { id: String! name: String size: Int }
    input DeleteNetworkVolumeInput { id: String! }

    type Endpoint {
      id: String
      name: String
      templateId: String
      gpuIds: String
      gpuCount: Int
      workersMin: Int
      workersMax: Int
      idleTimeout: Int
      locations: String
      scalerType: String
      scalerValue: Int
      executionTimeoutMs: Int
      networkVolumeId: String
      flashBootType: String
      type: String
    }
  `;
}
