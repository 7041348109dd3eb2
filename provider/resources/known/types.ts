// Made by `npm run catalog` from the service's catalog of 2026-08.

/** A GPU type, for `gpu.id` of a pod. The catalog of 2026-08 had these; any other string is accepted. */
export type GpuTypeId =
  | (string & {})
  | "AMD Instinct MI300X OAM"
  | "NVIDIA A100 80GB PCIe"
  | "NVIDIA A100-SXM4-80GB"
  | "NVIDIA A30"
  | "NVIDIA A40"
  | "NVIDIA B200"
  | "NVIDIA B300 SXM6 AC"
  | "NVIDIA GeForce RTX 3070"
  | "NVIDIA GeForce RTX 3080"
  | "NVIDIA GeForce RTX 3080 Ti"
  | "NVIDIA GeForce RTX 3090"
  | "NVIDIA GeForce RTX 3090 Ti"
  | "NVIDIA GeForce RTX 4070 Ti"
  | "NVIDIA GeForce RTX 4080"
  | "NVIDIA GeForce RTX 4080 SUPER"
  | "NVIDIA GeForce RTX 4090"
  | "NVIDIA GeForce RTX 5080"
  | "NVIDIA GeForce RTX 5090"
  | "NVIDIA H100 80GB HBM3"
  | "NVIDIA H100 NVL"
  | "NVIDIA H100 PCIe"
  | "NVIDIA H200"
  | "NVIDIA H200 NVL"
  | "NVIDIA L4"
  | "NVIDIA L40"
  | "NVIDIA L40S"
  | "NVIDIA RTX 2000 Ada Generation"
  | "NVIDIA RTX 4000 Ada Generation"
  | "NVIDIA RTX 4000 SFF Ada Generation"
  | "NVIDIA RTX 5000 Ada Generation"
  | "NVIDIA RTX 6000 Ada Generation"
  | "NVIDIA RTX A2000"
  | "NVIDIA RTX A4000"
  | "NVIDIA RTX A4500"
  | "NVIDIA RTX A5000"
  | "NVIDIA RTX A6000"
  | "NVIDIA RTX PRO 4500 Blackwell"
  | "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition"
  | "NVIDIA RTX PRO 6000 Blackwell Server Edition"
  | "NVIDIA RTX PRO 6000 Blackwell Server Edition MIG 1g.24gb"
  | "NVIDIA RTX PRO 6000 Blackwell Server Edition MIG 2g.48gb"
  | "NVIDIA RTX PRO 6000 Blackwell Workstation Edition"
  | "Tesla V100-PCIE-16GB"
  | "Tesla V100-SXM2-16GB"
  | "Tesla V100-SXM2-32GB";

/** A pool of GPU types, for `gpu.pools` of an endpoint. The catalog of 2026-08 had these; any other string is accepted. */
export type GpuPoolId =
  | (string & {})
  | "ADA_24"
  | "ADA_48_PRO"
  | "ADA_80_PRO"
  | "AMPERE_16"
  | "AMPERE_24"
  | "AMPERE_48"
  | "AMPERE_80"
  | "HOPPER_141";

/** A CPU flavor, for `cpu.id`. The catalog of 2026-08 had these; any other string is accepted. */
export type CpuFlavorId = (string & {}) | "cpu3c" | "cpu3g" | "cpu3m" | "cpu5c" | "cpu5g" | "cpu5m";

/** A data center. The catalog of 2026-08 had these; any other string is accepted. */
export type DataCenterId =
  | (string & {})
  | "AP-JP-1"
  | "EU-CZ-1"
  | "EU-FR-1"
  | "EU-NL-1"
  | "EU-RO-1"
  | "EU-SE-1"
  | "EUR-IS-1"
  | "EUR-IS-2"
  | "EUR-IS-3"
  | "EUR-NO-1"
  | "OC-AU-1"
  | "US-CA-2"
  | "US-DE-1"
  | "US-GA-1"
  | "US-GA-2"
  | "US-IL-1"
  | "US-KS-2"
  | "US-KS-3"
  | "US-NC-1"
  | "US-TX-1"
  | "US-TX-3"
  | "US-TX-4"
  | "US-WA-1";
