import type * as pulumi from "@pulumi/pulumi";
import type { EmulatorOptions, EmulatorTimings } from "../emulator/types";

/** How the account behind the mocks behaves. */
export interface MockOptions
  extends Omit<EmulatorOptions, "port" | "host" | "apiKey" | "rateLimit" | "timings"> {
  /** How long things take. Default: nothing takes time. */
  timings?: EmulatorTimings;
  /**
   * Mocks for everything that is not podlumi's. Default: a resource has its inputs as outputs and its name with `_id` as id, and
   * a function returns its arguments.
   */
  others?: Partial<pulumi.runtime.Mocks>;
  /**
   * Called for each resource that a preview or the account refuses. The resource then has its inputs as outputs, so that a test can
   * look at the refusal. What refers to it is refused as well, since the account does not have it. Default: the outputs of the resource reject, and the test fails.
   *
   * @example
   * ```ts
   * const refusals: Refusal[] = [];
   * const account = await mocks({ refused: (refusal) => refusals.push(refusal) });
   * ```
   */
  refused?: (refusal: Refusal) => void;
}

/** A resource that a preview or the account refuses. */
export interface Refusal {
  /** The name of the resource in the program. */
  name: string;
  /** The type of the resource, `pulumi-nodejs:dynamic/podlumi:Pod` or, with the plugin, `podlumi:index:Pod`. */
  type: string;
  /** Why, as a preview or an `up` says it, with its code. */
  message: string;
}
