import type * as pulumi from "@pulumi/pulumi";

/** When a pod stops itself: after a time, when nothing works in it, or at what comes first. */
export interface SelfStopArgs {
  /** Time since the pod started, such as `90m`, `8h` or `7d`, at least `5m`. A restart of the container does not begin it again. */
  after?: pulumi.Input<string | undefined>;
  /**
   * Time without work, such as `30m`, at least `10m`: each NVIDIA GPU at 5 % or less, less than 0.2 cores of CPU, and no SSH connection to
   * port 22 of the container. What cannot be measured counts as work.
   */
  idle?: pulumi.Input<string | undefined>;
  /** `stop` keeps what is in `mounts`, which is still billed; `terminate` deletes the pod. Default `stop`. */
  action?: pulumi.Input<"stop" | "terminate" | undefined>;
}

/** When a pod stops itself, as its command says. */
export interface SelfStopState {
  /** Time since the pod started; undefined without one. */
  after?: string;
  /** Time without work; undefined without one. */
  idle?: string;
  /** The end of the pod. */
  action: "stop" | "terminate";
}
