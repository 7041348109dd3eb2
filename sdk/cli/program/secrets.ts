import { keyOfService } from "../../secret-forms";

/** Endings and words of names that hold a secret. */
const nameEnds =
  /(key|token|secret|pass|password|passwd|passphrase|pwd|credentials?|auth|dsn|cookie|salt)s?$/i;
const nameHolds = /(^|[_-])(secret|password|private|credentials?|token|key)([_-]|$)/i;

/** Beside keys of services: other keys by their prefix, PEM, passwords in addresses, long random text. */
const forms = [
  keyOfService,
  /\b(rpa|hf|sk|pk)[_-][A-Za-z0-9_-]{10,}/,
  /-----BEGIN /,
  /:\/\/[^/\s:@]*:[^/\s@]+@/,
  /(^|[\s=:])(?=[^\s=:]*\d)(?=[^\s=:]*[A-Za-z])[A-Za-z0-9+/_-]{32,}={0,2}($|\s)/,
];

/** The service replaces this with the value of a secret when a container starts. (API: Secrets) */
const reference = /^\{\{ *RUNPOD_SECRET_[^}]+\}\}$/;

/**
 * Whether a value should not be in a program, because programs go into version control. It guesses on the safe side: a
 * value that it takes for a secret by mistake goes into the configuration, where it does no harm.
 */
export function looksSecret(name: string, value: string): boolean {
  if (/^(\d{0,8}|true|false)$/i.test(value) || reference.test(value)) return false;
  return nameEnds.test(name) || nameHolds.test(name) || forms.some((form) => form.test(value));
}
