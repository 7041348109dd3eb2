import type * as pulumi from "@pulumi/pulumi";

/** Arguments of resources that can adopt an existing object. */
export interface AdoptArgs {
  /**
   * Adopts an existing object, by its id (`adopt: "4m7x2k9q"`) or its name (`adopt: { name: "llm" }`), instead of
   * creating one. The object belongs to this resource from then on: **destroying the resource deletes the object**.
   * Differences are changed in place. The preview says what is adopted and what will change. It fails, and nothing
   * happens, when a difference needs a replacement, when several objects have the name, or when there is none. On a
   * resource that the stack has already, the argument has no effect until a change replaces the object: then the one
   * with the id takes its place, unless the resource had it before.
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
