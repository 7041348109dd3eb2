import type * as pulumi from "@pulumi/pulumi";

/** Of resources that can take over an object that exists. */
export interface AdoptArgs {
  /**
   * Takes over the object with this id, or with this name, instead of making one: `adopt: "4m7x2k9q"` or
   * `adopt: { name: "llm" }`. From then on it is this resource's, and **goes with it** when it is destroyed.
   *
   * What differs is changed in place; fields that the service never answers are taken for equal, so that nothing is
   * restarted for them. The preview says what is adopted and what of it will change. It fails, and nothing happens, when
   * a difference would need another object, when several objects have the name, or when there is none.
   *
   * It does nothing to a resource that the stack has already, and can be removed when it is done.
   */
  adopt?: pulumi.Input<string | { name: string }>;
}
