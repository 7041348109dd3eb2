import type * as pulumi from "@pulumi/pulumi";
import type { HasId, HasReference } from "../../schema/arguments";
import type { CpuFlavorId } from "../known/types";
import type { RegistryAuthState } from "../registry-auth/types";

/** The container settings that pods, endpoints and templates share. (API: shared container fields) */
export interface ContainerArgs {
  /** Container image with its tag, e.g. `runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404`. */
  image?: pulumi.Input<string | undefined>;
  /**
   * Arguments passed to the container's entrypoint, as one string. Default `""`. For a list, or another entrypoint, use
   * `cmd` and `entrypoint` instead.
   */
  args?: pulumi.Input<string | undefined>;
  /**
   * Command that replaces the image's entrypoint, one argument per item, e.g. `["sh", "-c"]`. Default: the image's own.
   * Not together with `args`. Only newer versions of the service have it: podlumi sends it only if the program gives
   * it.
   */
  entrypoint?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /**
   * Arguments of the entrypoint, one per item, e.g. `["--model", "/models/llama 3"]`. Default: the image's own. Not
   * together with `args`. Only newer versions of the service have it: podlumi sends it only if the program gives it.
   */
  cmd?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /**
   * Container disk in GB, at least 1. It is wiped when the container restarts or stops. Default: chosen by the service. Removing it
   * from the program does not change the size.
   */
  disk?: pulumi.Input<number | undefined>;
  /**
   * Environment variables. Only the names given here are compared and changed. Variables of the platform (`PUBLIC_KEY`,
   * `RUNPOD_…`) or of a template stay. What the platform sets in every container, such as `RUNPOD_POD_ID`, cannot be
   * set. A value may refer to a {@link Secret} by `secret.reference`. Values given as Pulumi secrets are encrypted in
   * the state.
   */
  env?: pulumi.Input<Record<string, pulumi.Input<string | HasReference>> | undefined>;
  /**
   * Exposed ports as `port/protocol` in any order, protocol `http` or `tcp`, e.g. `["8888/http", "22/tcp"]`. A pod has the addresses
   * of its http ports in `urls`, and those of its tcp ports in `tcpAddresses`. From `70000/tcp` on, it gets a port of the service's
   * choice that has the same number inside and outside: the container has it in the variable `RUNPOD_TCP_PORT_70000`.
   */
  ports?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /** Id of the {@link RegistryAuth} for pulling a private image. */
  registry?: pulumi.Input<string | HasId<RegistryAuthState> | undefined>;
}

/** The container settings as the service returns them. */
export interface ContainerState {
  /** Container image with its tag, from the program or from a template. */
  image: string;
  /** Arguments of the container's entrypoint; `""` without any. With `entrypoint` or `cmd`, both as JSON. */
  args: string;
  /** Command in place of the image's entrypoint; `[]` without one. Undefined where the service is older. */
  entrypoint: string[] | undefined;
  /** Arguments of the entrypoint, one per item; `[]` without any. Undefined where the service is older. */
  cmd: string[] | undefined;
  /** Container disk in GB, given by the program or chosen by the service. */
  disk: number;
  /** The variables that the program declares; all variables when the object is only read. */
  env: Record<string, string>;
  /** Exposed ports as `port/protocol`; `[]` without any. */
  ports: string[];
  /** Id of the credential for pulling the image; null without one. */
  registry: string | null;
}

/** A CPU flavor and its size. (API: Catalogue, CPUs) */
export interface CpuArgs {
  /** CPU flavor, e.g. `cpu3c`. */
  id: pulumi.Input<CpuFlavorId>;
  /** Number of vCPUs: a power of two, at least 2. Memory follows from the flavor. */
  vcpuCount: pulumi.Input<number>;
}

/** A CPU selection as the service returns it. */
export interface CpuState {
  /** CPU flavor, e.g. `cpu3c`. */
  id: string;
  /** vCPUs of a container. */
  vcpuCount: number;
  /** Memory in GB, which follows from the flavor. */
  memory: number;
}

/** Host-local storage that outlives the container but not the pod. */
export interface PersistentMountArgs {
  /** Size in GB, at least 10. */
  size: pulumi.Input<number>;
  /** Mount path inside the container, absolute. */
  path: pulumi.Input<string>;
}

/** Host-local storage as the service returns it. */
export interface PersistentMountState {
  /** Size in GB. */
  size: number;
  /** Path inside the container. */
  path: string;
}

/** Where a pod runs: in the vendor's data centers (`SECURE`) or on community hosts (`COMMUNITY`). */
export type Cloud = "SECURE" | "COMMUNITY";
