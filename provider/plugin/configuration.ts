import { unknownArguments, unknownKeys } from "../config";
import { withSecrets } from "../core/state/secret-value";
import { checkFailure } from "../schema/failure";
import { filtered, type Properties } from "../value";
import type { Checked } from "./messages";

/** The inputs of a provider from its arguments and the stack configuration. */
export function checkConfig(args: Properties): Checked {
  // The settings of the stack, without `podlumi:`. The engine gives them to a plugin that it starts.
  const settings: Properties = JSON.parse(process.env.PULUMI_CONFIG || "{}");
  const configured = Object.keys(settings);
  const reasons = [
    ...unknownKeys(configured.map((name) => `podlumi:${name}`)),
    ...unknownArguments(Object.keys(args).filter((name) => !configured.includes(name))),
  ];
  const failures = reasons.map((reason) =>
    checkFailure({ property: "", reason, code: "PODLUMI-CONFIGURATION" }),
  );
  // The engine adds them only to its default provider. A key that resolves to null is set: it is empty.
  const isSet = (name: string) => (name === "apiKey" ? name in args : args[name] != null);
  const added = filtered(settings, (name) => !isSet(name));
  // A configuration may have the key in plain text, and the state must not. Nothing tells which added settings are secret.
  return { inputs: withSecrets({ ...args, ...added }, ["apiKey", ...Object.keys(added)]), failures };
}
