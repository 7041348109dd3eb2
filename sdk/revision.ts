import * as pulumi from "@pulumi/pulumi";
import type { Settings } from "../provider/resources/template/derived";
import { revised, revisionOf } from "../provider/resources/template/derived";

/**
 * The revision of a template. The program computes it, so a preview knows it when it knows the settings. It is a secret
 * when one of the settings is.
 */
export function revisionOutput(
  id: pulumi.Output<string>,
  template: Settings<pulumi.Input<unknown>>,
): pulumi.Output<string> {
  const settings = Object.fromEntries(revised.map((name) => [name, template[name]]));
  // The id is not in the digest. It makes users of the revision wait until the service has the settings.
  return pulumi.all([pulumi.output(settings), id]).apply(([known]) => revisionOf(known));
}
