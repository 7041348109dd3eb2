import type * as pulumi from "@pulumi/pulumi";
import type { AdoptArgs } from "../../schema/arguments";
import type {
  ContainerArgs,
  ContainerState,
  PersistentMountArgs,
  PersistentMountState,
} from "../container/types";

/** The heading under which the console lists a template. */
export type TemplateCategory = "CPU" | "NVIDIA" | "AMD";

/** Storage of the pods created from a template. */
export interface TemplateMountsArgs {
  /** Host-local storage. Removing it replaces the template. */
  persistent?: pulumi.Input<PersistentMountArgs | undefined>;
}

/** Arguments of a {@link Template}. (API: Templates, create and update) */
export interface TemplateArgs extends ContainerArgs, AdoptArgs {
  /** Name, unique in the account. Default: generated once from the logical name and digits. Changed in place. */
  name?: pulumi.Input<string | undefined>;
  /** Container image with its tag. */
  image: pulumi.Input<string>;
  /** Storage of the pods created from it. Not for serverless templates. */
  mounts?: pulumi.Input<TemplateMountsArgs | undefined>;
  /** True: it is for endpoints; false: for pods. Default false. */
  serverless?: pulumi.Input<boolean | undefined>;
  /** Other accounts may use it. Default false. */
  public?: pulumi.Input<boolean | undefined>;
  /** The heading in the console. Default `NVIDIA`. */
  category?: pulumi.Input<TemplateCategory | undefined>;
  /** Provision SSH access in its pods. Default true. */
  startSsh?: pulumi.Input<boolean | undefined>;
  /** Start JupyterLab in its pods. Default true. */
  startJupyter?: pulumi.Input<boolean | undefined>;
  /** CUDA versions (`major.minor`) that its hosts may have, in any order. Default: any. */
  allowedCudaVersions?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /**
   * Markdown text that the console shows. It needs GraphQL, which retires in early 2027. Saving it resets `public`, `category`, `startSsh`,
   * `startJupyter` and `allowedCudaVersions` for a moment: after a run that was killed then, the next `up` restores what the program declares.
   */
  readme?: pulumi.Input<string | undefined>;
  /** Seconds, 1 to 86400, to retry the deletion, which the service refuses until two minutes after the last use. Default 180. */
  deleteTimeout?: pulumi.Input<number | undefined>;
}

/** Outputs of a {@link Template}. */
export interface TemplateState extends ContainerState {
  /** Name, unique in the account. */
  name: string;
  /** Storage of the pods created from it; `{}` without any. */
  mounts: { persistent?: PersistentMountState };
  /** True: it is for endpoints; false: for pods. */
  serverless: boolean;
  /** Other accounts may use it. */
  public: boolean;
  /** The heading in the console. */
  category: TemplateCategory;
  /** Its pods get the account's SSH keys; endpoints do not. */
  startSsh: boolean;
  /** Its pods start JupyterLab; endpoints do not. */
  startJupyter: boolean;
  /** CUDA versions (`major.minor`) that its hosts may have; `[]` for any. */
  allowedCudaVersions: string[];
  /** The readme that the program declares, `""` when it declares none. */
  readme: string;
}
