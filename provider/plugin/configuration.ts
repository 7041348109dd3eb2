import { unknownArguments, unknownKeys } from "../config";
import { withSecrets } from "../core/state/secret-value";
import { checkFailure } from "../schema/failure";
import { filtered, type Properties } from "../value";
import type { Checked } from "./messages";

/** The inputs of a provider from its arguments and the stack configuration. */
export function checkConfig(args: Properties): Checked {
  const settings = settingsOfStack();
  const configured = Object.keys(settings);
  const reasons = [
    ...unknownKeys(configured.map((name) => `podlumi:${name}`)),
    ...unknownArguments(Object.keys(args).filter((name) => !configured.includes(name))),
  ];
  const failures = reasons.map((reason) =>
    checkFailure({ property: "", reason, code: "PODLUMI-CONFIGURATION" }),
  );
  const added = settingsToAdd(args, settings);
  // A configuration may have the key in plain text, and the state must not. Nothing tells which added settings are secret.
  return { inputs: withSecrets({ ...args, ...added }, ["apiKey", ...Object.keys(added)]), failures };
}

/** The settings in the stack configuration, without `podlumi:`. The engine gives them to a plugin that it starts. */
function settingsOfStack(): Readonly<Record<string, string>> {
  const { PULUMI_CONFIG: text } = process.env;
  return text ? JSON.parse(text) : {};
}

/** The engine adds settings of the stack only to its default provider. A key that resolves to null is set: it is empty. */
function settingsToAdd(args: Properties, settings: Readonly<Record<string, string>>): Properties {
  const isSet = (name: string) => (name === "apiKey" ? name in args : args[name] != null);
  return filtered(settings, (name) => !isSet(name));
}
