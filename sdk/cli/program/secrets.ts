/** Names at whose end, or among whose words, a secret is told by its name. */
const nameEnds =
  /(key|token|secret|pass|password|passwd|passphrase|pwd|credentials?|auth|dsn|cookie|salt)s?$/i;
const nameHolds = /(^|[_-])(secret|password|private|credentials?|token|key)([_-]|$)/i;

/** Forms that well-known secrets have: keys of services, JSON web tokens, PEM, passwords in addresses, long random text. */
const forms = [
  /\b(rpa|hf|ghp|gho|ghs|github_pat|glpat|npm|sk|pk|xox[abp])[_-][A-Za-z0-9_-]{10,}/,
  /\b(AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\beyJ[\w-]{10,}\.[\w-]{10,}/,
  /-----BEGIN /,
  /:\/\/[^/\s:@]*:[^/\s@]+@/,
  /(^|[\s=:])(?=[^\s=:]*\d)(?=[^\s=:]*[A-Za-z])[A-Za-z0-9+/_-]{32,}={0,2}($|\s)/,
];

/** What the service replaces by the value of a secret when a container starts. (API: Secrets) */
const reference = /^\{\{ *RUNPOD_SECRET_[^}]+\}\}$/;

/**
 * Whether a value should not stand in a program that goes into version control. A guess on the safe side: what it takes
 * for a secret by mistake goes into the configuration, where it does no harm.
 */
export function looksSecret(name: string, value: string): boolean {
  if (/^(\d{0,8}|true|false)$/i.test(value) || reference.test(value)) return false;
  return nameEnds.test(name) || nameHolds.test(name) || forms.some((form) => form.test(value));
}
