import type * as pulumi from "@pulumi/pulumi";
import type { AdoptArgs, HasId, HasReference } from "../../schema/arguments";
import type { CpuFlavorId } from "../known/types";
import type { LabelArgs, LabelState } from "../labels/types";
import type { RegistryAuthState } from "../registry-auth/types";

/** The container settings that pods, endpoints and templates share. (API: shared container fields) */
export interface ContainerArgs {
  /** Container image with its tag, e.g. `runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404`. */
  image?: pulumi.Input<string | undefined>;
  /** Arguments of the container's entrypoint, as one string; for a list, use `cmd`. Default `""`. */
  args?: pulumi.Input<string | undefined>;
  /** Command that replaces the image's entrypoint, e.g. `["sh", "-c"]`. Default: the image's own. Not together with `args`. */
  entrypoint?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /** Arguments of the entrypoint, e.g. `["--model", "/models/llama 3"]`. Default: the image's own. Not together with `args`. */
  cmd?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /**
   * Container disk in GB, at least 1, wiped when the container restarts or stops. Default: chosen by the service.
   * Removing it changes nothing.
   */
  disk?: pulumi.Input<number | undefined>;
  /**
   * Environment variables. Only the names given here are compared and changed: those of the platform (`PUBLIC_KEY`,
   * `RUNPOD_…`) or of a template stay. A value may refer to a {@link Secret} by `secret.reference`.
   */
  env?: pulumi.Input<Record<string, pulumi.Input<string | HasReference>> | undefined>;
  /**
   * Exposed ports as `port/protocol`, protocol `http` or `tcp`, e.g. `["8888/http", "22/tcp"]`. One from `70000/tcp`
   * on gets the same number inside and outside, which is in `RUNPOD_TCP_PORT_70000`.
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

/** Arguments of pods, clusters and endpoints alike. */
export interface RunningArgs extends ContainerArgs, LabelArgs, AdoptArgs {
  /** Name; need not be unique. Default: generated once from the logical name and digits. Changed in place. */
  name?: pulumi.Input<string | undefined>;
  /**
   * Time limit such as `90m`, `8h` or `7d`. The service has no timer: `npx podlumi sweep --expired` deletes what is
   * over it, and `pulumi up` refuses it. It begins at creation, and again when podlumi starts a pod or this argument
   * changes: that restarts a running pod, creates a new release of an endpoint, and replaces a cluster. Default: none.
   */
  expiresAfter?: pulumi.Input<string | undefined>;
}

/** Outputs of pods, clusters and endpoints alike. */
export interface RunningState extends LabelState {
  /** Name; need not be unique. */
  name: string;
  /** Id of the template that the program gives; undefined without one. */
  templateId: string | undefined;
  /** Template revision that the program gives; undefined without one. */
  templateRevision: string | undefined;
  /** Time limit that the program gives; undefined without one. */
  expiresAfter: string | undefined;
  /** When `podlumi sweep --expired` may delete it (RFC 3339); undefined without a time limit. */
  expiresAt: string | undefined;
  /** Time of creation (RFC 3339). */
  createdAt: string;
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
