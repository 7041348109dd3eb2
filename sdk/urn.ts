import * as pulumi from "@pulumi/pulumi";

/**
 * The URN that a resource will have. Without a parent it is plain text, which costs a program much less.
 *
 * With a parent it is a promise. An output would depend on the parent, and so on all siblings. Two siblings that refer
 * to each other would then wait for ever.
 */
export function urnOf(
  type: string,
  name: string,
  parent: pulumi.Resource | undefined,
): string | Promise<string> {
  if (parent === undefined)
    return `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${type}::${name}`;
  return new Promise((resolve) => void pulumi.createUrn(name, type, parent).apply(resolve));
}
