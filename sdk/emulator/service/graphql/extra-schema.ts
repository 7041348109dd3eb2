import { catalogTypes } from "./catalog-schema";
import { endpointTypes } from "./endpoint-schema";
import { podTypes } from "./pod-schema";

/** The part of the public schema that the service's guides do not use. */
export function extraTypeDefs(args: string, strict: string): string {
  return [accountTypes, podTypes(args), endpointTypes(args, strict), catalogTypes].join("\n");
}

/** The account, and what belongs to it: templates, secrets, registry credentials, network volumes. */
const accountTypes = /* GraphQL */ `
    scalar JSON

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
      updateUserSettings(input: UpdateUserSettingsInput): User
      createNetworkVolume(input: CreateNetworkVolumeInput!): NetworkVolume
      updateNetworkVolume(input: UpdateNetworkVolumeInput!): NetworkVolume
      deleteNetworkVolume(input: DeleteNetworkVolumeInput!): Void
      saveRegistryAuth(input: SaveRegistryAuthInput): ContainerRegistryAuth
      updateRegistryAuth(input: UpdateRegistryAuthInput): ContainerRegistryAuth
      deleteRegistryAuth(registryAuthId: String): Void
      secretValueUpdate(input: SecretValueUpdateInput!): Secret
      secretDescriptionUpdate(input: SecretDescriptionUpdateInput!): Secret
    }

    input UpdateUserSettingsInput { pubKey: String }

    extend input SaveTemplateInput {
      advancedStart: Boolean
      config: JSON
      isPublic: Boolean
      portsConfig: [PortConfigInput]
      startScript: String
      startSsh: Boolean
      startJupyter: Boolean
      category: TemplateCategory
    }

    input PortConfigInput { port: String! name: String! }

    extend type PodTemplate {
      advancedStart: Boolean
      isPublic: Boolean
      portsConfig: [PortConfig]
      startScript: String
      startSsh: Boolean
      startJupyter: Boolean
      category: String
    }

    type PortConfig { port: String name: String }

    extend input SecretCreateInput { description: String }
    extend type Secret { createdAt: DateTime! updatedAt: DateTime }
    input SecretValueUpdateInput { id: ID! value: String! }
    input SecretDescriptionUpdateInput { id: ID! description: String! }

    type ContainerRegistryAuth { id: String name: String }
    input SaveRegistryAuthInput { name: String! username: String! password: String! }
    input UpdateRegistryAuthInput { id: String! username: String! password: String! }

    type NetworkVolume {
      id: String
      name: String
      size: Int
      dataCenterId: String
      dataCenter: DataCenter
      storageClusterId: String
      storageType: StorageType
    }
    input CreateNetworkVolumeInput {
      name: String
      size: Int
      dataCenterId: String
      userId: String
      isNextGenStorage: Boolean
    }
    input UpdateNetworkVolumeInput { id: String! name: String size: Int }
    input DeleteNetworkVolumeInput { id: String! }
  `;
