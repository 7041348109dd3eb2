import * as pulumi from "@pulumi/pulumi";

/** What the URNs of this stack begin with. */
export function stackPrefix(): string {
  return `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::`;
}

/**
 * The URN that a resource will have. A promise where there is a parent, because an output of the parent would depend on
 * it, hence on all siblings: two that refer to each other would wait for ever. Without one a plain text, which costs
 * a program much less.
 */
export function urnOf(
  type: string,
  name: string,
  parent: pulumi.Resource | undefined,
): string | Promise<string> {
  if (parent === undefined) return `${stackPrefix()}${type}::${name}`;
  return new Promise((resolve) => void pulumi.createUrn(name, type, parent).apply(resolve));
}
