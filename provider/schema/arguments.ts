import type * as pulumi from "@pulumi/pulumi";

/** Arguments of resources that can adopt an existing object. */
export interface AdoptArgs {
  /**
   * Adopts an existing object, by its id (`adopt: "4m7x2k9q"`) or its name (`adopt: { name: "llm" }`), instead of
   * creating one: **destroying the resource then deletes the object**. Differences are changed in place, which may
   * restart a pod. The preview tells them, and fails when one needs a replacement.
   */
  adopt?: pulumi.Input<string | { name: pulumi.Input<string> } | undefined>;
}

/** A resource in place of its id. Its outputs distinguish its kind. */
export type HasId<State> = { readonly id: pulumi.Output<pulumi.ID> } & {
  readonly [Name in keyof State]: pulumi.Output<State[Name]>;
};

/** A secret of the account in place of its reference. */
export interface HasReference {
  readonly reference: pulumi.Output<string>;
}
