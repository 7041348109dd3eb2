import { keyOfService, onlyReferences, switchOrDigit } from "../../secret-forms";

/** Names that hold a secret, whatever the value: by their end, or by a word for passwords. */
const nameEnds =
  /(key|token|pass|pwd|credentials?|auth|authorization|dsn|cookie|salt|signature|(^|[^a-z])(pat|pin|sig))$/i;
const nameHoldsPassword = /passw(or)?d|passphrase|secret/i;

/** Names that hold a secret unless the value is a short number, which is a limit or an id: `MAX_TOKENS`, `PAD_TOKEN_ID`. */
const nameEndsInMany = /(key|token|pwd|auth|dsn|cookie|salt)s$/i;
const nameHolds = /(^|[_.-])(private|credentials?|token|key|webhook|connection_?string)([_.-]|$)/i;

/** Beside keys of services: other keys by their prefix, PEM, passwords in addresses, long random text. */
const forms = [
  keyOfService,
  /\b(rpa|hf|sk|pk)[_-][A-Za-z0-9_-]{10,}/,
  /-----BEGIN /,
  /:\/\/[^/\s:@]*:[^\s@]+@/,
  /(^|[\s=:])(?=[^\s=:]*\d)(?=[^\s=:]*[A-Za-z])[A-Za-z0-9+/_-]{32,}={0,2}($|\s)/,
];

/** `NAME=value`, `name: value` and `--name value` in a text: a command line, a connection string, JSON. */
const named =
  /(?<![\w.-])(?:--?(?<option>[A-Za-z][\w.-]*)\s+(?!-)|-{0,2}(?<name>[A-Za-z][\w.-]*)[\\"']{0,2}\s*[=:]\s*)(?=[\\"']{0,2}(?<value>\{\{[^}]*\}\}|[^\s\\"'&;,})\]]{1,100}))/g;

/**
 * Such a value stays out of the program, because programs go into version control. It guesses on the safe side: a
 * value that it takes for a secret by mistake goes into the configuration, where it does no harm.
 */
export function looksSecret(name: string, value: string): boolean {
  if (onlyReferences.test(value)) return false;
  const pairs = [...value.matchAll(named)].map(({ groups = {} }) => groups);
  return (
    isSecretByName(name, value) ||
    pairs.some(({ option, name = option ?? "", value = "" }) => isSecretByName(name, value)) ||
    forms.some((form) => form.test(value))
  );
}

function isSecretByName(name: string, value: string): boolean {
  if (switchOrDigit.test(value) || onlyReferences.test(value)) return false;
  if (nameEnds.test(name) || nameHoldsPassword.test(name)) return true;
  return !/^\d{1,8}$/.test(value) && (nameEndsInMany.test(name) || nameHolds.test(name));
}
