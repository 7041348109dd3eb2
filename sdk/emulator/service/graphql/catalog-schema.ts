/** The public schema of the catalog, beyond the service's guides. */
export const catalogTypes = /* GraphQL */ `
    enum Availability { AVAILABLE UNAVAILABLE }
    enum MachineProduct { PODCLOUD CLUSTER SERVERLESS }
    enum Compliance {
      GDPR ISO_IEC_27001 ISO_14001 PCI_DSS HITRUST SOC_1_TYPE_2 SOC_2_TYPE_2 SOC_3_TYPE_2 ITAR FISMA_HIGH HIPAA
    }
    enum DataCenterRegion {
      NORTH_AMERICA ASIA EUROPE MIDDLE_EAST AFRICA SOUTH_AMERICA OCEANIA ANTARCTICA UNKNOWN
    }

    extend type Query {
      cpuFlavors(input: CpuFlavorInput): [CpuFlavor]
      dataCenters: [DataCenter]
    }

    extend input GpuTypeFilter { ids: [String!] cluster: Boolean }

    extend input GpuLowestPriceInput {
      allowedCudaVersions: [String]
      compliance: [Compliance]
      countryCode: String
      cudaVersion: String
      dataCenterId: String
      globalNetwork: Boolean
      includeAiApi: Boolean
      isCluster: Boolean
      machineProducts: [MachineProduct]
      minCudaVersion: String
      minDisk: Int
      minDownload: Int
      minMemoryInGb: Int
      minUpload: Int
      minVcpuCount: Int
      podCount: Int
      supportPublicIp: Boolean
      throughput: Int
      totalDisk: Int
    }

    extend type GpuType {
      communityPrice: Float
      communitySpotPrice: Float
      cudaCores: Int
      manufacturer: String
      maxGpuCount: Int
      maxGpuCountCommunityCloud: Int
      maxGpuCountSecureCloud: Int
      minPodGpuCount: Int
      oneMonthPrice: Float
      oneWeekPrice: Float
      securePrice: Float
      secureSpotPrice: Float
      threeMonthPrice: Float
    }

    extend type LowestPrice {
      clusterPrice: Float
      compliance: [Compliance]
      countryCode: String
      gpuName: String
      gpuTypeDatacenters: [GpuTypeDataCenterAvailability]
      gpuTypeId: String
      maxGpuCount: Int
      maxUnreservedGpuCount: Int
      minDisk: Int
      minDownload: Int
      minMemory: Int
      minUpload: Int
      minVcpu: Int
      minimumBidPrice: Float
      rentalPercentage: Float
      rentedCount: Int
      supportPublicIp: Boolean
      totalCount: Int
    }

    type GpuTypeDataCenterAvailability {
      availability: Availability
      dataCenterId: String
      supportNetworkVolumes: Boolean
    }

    input CpuFlavorInput { id: String isSls: Boolean slsOnly: Boolean }

    type CpuFlavor {
      id: String
      diskLimitPerVcpu: Int
      displayName: String
      groupId: String
      groupName: String
      maxVcpu: Int
      minVcpu: Float
      ramMultiplier: Float
      vcpuBurstable: Boolean
    }

    type DataCenter {
      id: String
      compliance: [Compliance]
      globalNetwork: Boolean
      gpuAvailability(input: GpuAvailabilityInput): [GpuAvailability]
      listed: Boolean
      location: String
      name: String
      region: DataCenterRegion
      storageSupport: Boolean
    }

    input GpuAvailabilityInput {
      allowedCudaVersions: [String]
      gpuCount: Int
      includeAiApi: Boolean
      machineProducts: [MachineProduct]
      minCudaVersion: String
      minDisk: Int
      minMemoryInGb: Int
      minVcpuCount: Int
      secureCloud: Boolean
    }

    type GpuAvailability {
      id: String
      available: Boolean
      displayName: String
      gpuTypeDisplayName: String
      gpuTypeId: String
      stockStatus: String
    }
  `;
