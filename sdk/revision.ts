import * as pulumi from "@pulumi/pulumi";
import type { Settings } from "../provider/resources/template/derived";
import { revised, revisionOf } from "../provider/resources/template/derived";
import type { Known } from "./service";

/**
 * The revision of a template: that of what the engine last had registered, as the provider tells it. So a template that a run leaves
 * alone, because of `--target` or `ignoreChanges`, keeps its revision. A preview of the dynamic provider does not learn the
 * revision of a template that is created or updated: it is then computed from the program's settings. It is a secret when one of these is.
 * Either depends on the template, by its `urn`, and on the settings: with other dependencies than in its preview, an `up` violates a plan.
 */
export function revisionOutput(
  registered: pulumi.Output<string | undefined>,
  template: Settings<pulumi.Input<unknown>>,
  urn: pulumi.Output<string>,
): pulumi.Output<string> {
  const settings = pulumi.output(Object.fromEntries(revised.map((name) => [name, template[name]])));
  const computed = pulumi.all([settings, urn]).apply(([all]) => revisionOf(all));
  // A state of an earlier release has none.
  const both = pulumi.all([registered, computed]).apply(([revision, own]) => revision ?? own);
  const told = registered.apply((revision) => pulumi.output(revision ?? computed));
  const facts = pulumi.output(Promise.all([isTold(registered), isTold(computed), pulumi.isSecret(settings)]));
  return facts.apply(([tells, computes, isSecret]) => {
    const revision: pulumi.Output<string> = !tells ? computed : computes ? both : told;
    // The state has each revision as a secret.
    return isSecret ? pulumi.secret(revision) : pulumi.unsecret(revision);
  });
}

/** The provider tells this output. */
async function isTold(output: pulumi.Output<unknown>): Promise<boolean> {
  return !pulumi.runtime.isDryRun() || (output as unknown as Known).isKnown;
}
