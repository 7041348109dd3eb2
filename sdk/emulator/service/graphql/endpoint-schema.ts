/** The endpoints of the public schema. The specification has none. */
export const endpointTypes = (args: string, strict: string): string => /* GraphQL */ `
    enum FlashBootType { OFF FLASHBOOT PRIORITY_FLASHBOOT }

    extend type Mutation {
      saveEndpoint(input: EndpointInput!): Endpoint!
      deleteEndpoint(id: String!): Void
      updateEndpointTemplate(input: UpdateEndpointTemplateInput): Endpoint
    }

    input EndpointInput {
      id: String
      name: String!
      allowedCudaVersions: String
      bindEndpoint: Boolean = true
      cloudStorageConfig: CloudStorageConfigInput
      env: [EnvironmentVariableInput]
      executionTimeoutMs: Int
      flashBootType: FlashBootType
      flashEnvironmentId: String
      gpuCount: Int = 1
      gpuIds: String
      hubReleaseId: String
      idleTimeout: Int = 10
      instanceIds: [String]
      locations: String
      minCudaVersion: String
      modelName: String
      modelReferences: [String]
      networkVolumeId: String
      networkVolumeIds: [NetworkVolumeIdsInput]
      repo: EndpointRepoInput
      scalerType: String
      scalerValue: Int = 4
      template: EndpointTemplateInput
      templateId: String
      type: String
      workersMax: Int = 3
      workersMin: Int = 0
      workersPFBTarget: Int = 0
    }

    input EndpointTemplateInput {
      name: String!
      imageName: String
      containerDiskInGb: Int!
      ${args}: String${strict}
      env: [EnvironmentVariableInput]!
      advancedStart: Boolean
      config: JSON
      containerRegistryAuthId: String
      ports: String
      readme: String
      startJupyter: Boolean
      startScript: String
      startSsh: Boolean
    }

    input EndpointRepoInput {
      repoName: String!
      branch: String
      buildContext: String
      containerRegistryAuthId: String
      ${args}: String
      dockerFilePath: String
    }

    input CloudStorageConfigInput {
      provider: String!
      region: String!
      bucketName: String!
      accessKey: String!
      secretKey: String!
    }

    input NetworkVolumeIdsInput { networkVolumeId: String! }
    input UpdateEndpointTemplateInput { endpointId: String templateId: String }

    type Endpoint {
      id: String
      name: String
      aiKey: String
      allowedCudaVersions: String
      createdAt: DateTime
      env: [EnvironmentVariable]
      executionTimeoutMs: Int
      flashBootType: FlashBootType
      flashEnvironmentId: String
      gpuCount: Int
      gpuIds: String
      idleTimeout: Int
      instanceIds: [String]
      locations: String
      minCudaVersion: String
      modelReferences: [String]
      networkVolume: NetworkVolume
      networkVolumeId: String
      networkVolumeIds: [NetworkVolumeIds]
      scalerType: String
      scalerValue: Int
      template: PodTemplate
      templateId: String
      type: String
      userId: String
      version: Int
      workersMax: Int
      workersMin: Int
      workersPFBTarget: Int
      workersStandby: Int
    }

    type NetworkVolumeIds { networkVolumeId: String dataCenterId: String }
  `;
