import type { CheckFailure } from "@pulumi/pulumi/dynamic";
import { unknownArguments, unknownKeys } from "../config";
import { withSecrets } from "../core/state/secret-value";
import { checkFailure } from "../schema/failure";
import type { Properties } from "../value";

/** The inputs of a provider from the arguments that the program gives, and what is wrong with them and the stack configuration. */
export function checkConfig(given: Properties): { inputs: Properties; failures: CheckFailure[] } {
  const settings = settingsOfStack();
  const configured = Object.keys(settings);
  const reasons = [
    ...unknownKeys(configured.map((name) => `podlumi:${name}`)),
    ...unknownArguments(Object.keys(given).filter((name) => !configured.includes(name))),
  ];
  const failures = reasons.map((reason) =>
    checkFailure({ property: "", reason, code: "PODLUMI-CONFIGURATION" }),
  );
  const added = settingsToAdd(given, settings);
  // A configuration may have the key in plain text, and the state must not. Of what is added, nothing tells what is a secret there.
  return { inputs: withSecrets({ ...given, ...added }, ["apiKey", ...Object.keys(added)]), failures };
}

/** The settings in the stack configuration, without `podlumi:`. The engine gives them to a plugin that it starts. */
function settingsOfStack(): Readonly<Record<string, string>> {
  const { PULUMI_CONFIG: text } = process.env;
  return text ? JSON.parse(text) : {};
}

/**
 * The settings of the stack for the arguments that are not given: the engine adds them only to its default provider. A key that resolves to
 * null is given: it is empty.
 */
function settingsToAdd(given: Properties, settings: Readonly<Record<string, string>>): Properties {
  const isGiven = (name: string) => (name === "apiKey" ? name in given : given[name] != null);
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !isGiven(name)));
}
