import type * as pulumi from "@pulumi/pulumi";

/** How the costs of a resource are told apart. (API: Tags; Cost centers) */
export interface LabelArgs {
  /**
   * Tags by their keys, e.g. `{ team: "ml" }`, beside `defaultTags` of the provider. Other keys are left alone. A tag belongs to the whole
   * organization: podlumi creates it if it is missing, and never deletes it. A beta of the service. Default: none.
   */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
  /**
   * Cost center that the bill of the resource counts for. It is created if it is missing, and never deleted. A beta of the service.
   * Default: none.
   */
  costCenter?: pulumi.Input<string | undefined>;
}

/** What podlumi has attached. */
export interface LabelState {
  /** The tags that the program declares; all of them when the object is only read and the service shows them. */
  tags: Record<string, string> | undefined;
  /** The cost center that the program declares. */
  costCenter: string | undefined;
}
