import type * as pulumi from "@pulumi/pulumi";
import type { AdoptArgs } from "../../core/arguments";
import type {
  ContainerArgs,
  ContainerState,
  PersistentMountArgs,
  PersistentMountState,
} from "../container/types";

/** Under which heading the console lists a template. */
export type TemplateCategory = "CPU" | "NVIDIA" | "AMD";

/** Storage of the pods made from a template. */
export interface TemplateMountsArgs {
  /** Host-local storage. Removing it replaces the template. */
  persistent?: pulumi.Input<PersistentMountArgs>;
}

/** Arguments of a {@link Template}. (API: Templates, create and update) */
export interface TemplateArgs extends ContainerArgs, AdoptArgs {
  /** Name, unique in the account. Default: made up from the logical name and digits, and kept for life. Changed in place. */
  name?: pulumi.Input<string>;
  /** Container image with its tag. */
  image: pulumi.Input<string>;
  /** Storage of the pods made from it. Not for serverless templates. */
  mounts?: pulumi.Input<TemplateMountsArgs>;
  /** Whether endpoints (true) or pods (false) are made from it. Default false. */
  serverless?: pulumi.Input<boolean>;
  /** Whether other accounts may use it. Default false. */
  public?: pulumi.Input<boolean>;
  /** The console's heading. Default `NVIDIA`. */
  category?: pulumi.Input<TemplateCategory>;
  /** Provision SSH access in its pods. Default true. */
  startSsh?: pulumi.Input<boolean>;
  /** Start JupyterLab in its pods. Default true. */
  startJupyter?: pulumi.Input<boolean>;
  /** CUDA versions (`major.minor`) that its hosts may have. Default: any. Order is free. */
  allowedCudaVersions?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Text in Markdown that the console shows. Only GraphQL knows it (GraphQL retires in early 2027); a template
   * without it needs REST v2 only.
   */
  readme?: pulumi.Input<string>;
  /** Seconds for which its deletion is tried again; the service refuses to delete the template while it is in use, which it is for up to two minutes after its last use. Default 180. */
  deleteTimeout?: pulumi.Input<number>;
}

/** Outputs of a {@link Template}. */
export interface TemplateState extends ContainerState {
  /** Unique in the account. */
  name: string;
  /** Storage of the pods made from it; `{}` without any. */
  mounts: { persistent?: PersistentMountState };
  /** Whether endpoints (true) or pods (false) are made from it. */
  serverless: boolean;
  /** Whether other accounts may use it. */
  public: boolean;
  /** The console's heading. */
  category: TemplateCategory;
  /** Whether its pods get the account's SSH keys; endpoints do not. */
  startSsh: boolean;
  /** Whether its pods start JupyterLab; endpoints do not. */
  startJupyter: boolean;
  /** CUDA versions (`major.minor`) that its hosts may have; `[]` for any. */
  allowedCudaVersions: string[];
  /** The readme that the program declares, `""` when it declares none. */
  readme: string;
}
