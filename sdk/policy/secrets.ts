import type { ResourceValidationPolicy } from "@pulumi/policy";
import { keyOfService, onlyReferences, switchOrDigit } from "../secret-forms";
import type { Look, PolicyOptions } from "./define";
import { resourcePolicy } from "./define";
import { checked } from "./options";

/** Names of variables that hold a secret, `PGPASSWORD` too. `publicName` has the exceptions. */
const secretName = /((^|_)KEY|API_?KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)$/i;
const publicName = /PUBLIC_?KEY$/i;

/**
 * No variable holds a secret in plain text, because everybody who can read the pod or the endpoint sees it. The policy
 * finds secrets by the name of the variable (`…_KEY`, `…TOKEN`, `…SECRET`, `…PASSWORD`), or by a value that looks like
 * a key of a well-known service. Use a reference to a secret of the account instead, and nothing else: a prefix such as
 * `Bearer …` belongs in the secret. A value that Pulumi encrypts does not pass, because the service still gets plain
 * text. Violations name variables, never their values.
 *
 * @example
 * ```ts
 * const token = new podlumi.Secret("hf_token", { value: config.requireSecret("hfToken") });
 * new podlumi.Pod("trainer", { …, env: { HF_TOKEN: token.reference } }); // passes
 * ```
 */
export function noPlainTextSecrets(options: PolicyOptions = {}): ResourceValidationPolicy {
  return resourcePolicy(
    {
      name: "no-plain-text-secrets",
      description: "Variables hold references to secrets, not the secrets themselves.",
      ...checked("noPlainTextSecrets", options, {}),
    },
    { Cluster: look, Pod: look, ServerlessEndpoint: look, Template: look },
  );
}

const look: Look<{ env?: Record<string, string> }> = ({ env = {} }) =>
  Object.keys(env).flatMap((name) => {
    const reason = suspicion(name, env);
    const fix = "keep it in a podlumi.Secret and pass its reference";
    return reason === undefined ? [] : [`env.${name} ${reason}: ${fix}`];
  });

function suspicion(name: string, env: Record<string, string>): string | undefined {
  const value = known(() => env[name]);
  if (typeof value !== "string" || switchOrDigit.test(value)) return undefined;
  if (keyOfService.test(value)) return "looks like a key in plain text";
  const named = secretName.test(name) && !publicName.test(name);
  return named && !onlyReferences.test(value) ? "is a secret by its name, in plain text" : undefined;
}

/** Reading a value that a preview does not know yet throws. It is not a literal, and `pulumi up` checks it again. */
function known<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
