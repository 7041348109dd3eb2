/** Forms of keys of well-known services: a string that has one holds a secret. */
export const keyOfService = new RegExp(
  [
    "\\bhf_[A-Za-z0-9]{16,}",
    "\\bsk-[\\w-]{16,}",
    "\\b(gh[pousr]|github_pat)_\\w{16,}",
    "\\bglpat-[\\w-]{16,}",
    "\\bnpm_\\w{16,}",
    "\\bxox[abprs]-[\\w-]{10,}",
    "\\b(AKIA|ASIA)[A-Z0-9]{16}\\b",
    "\\brpa_\\w{16,}",
    "\\beyJ[\\w-]{10,}\\.[\\w-]{10,}",
    "-----BEGIN [A-Z ]*PRIVATE KEY-----",
    // Addresses that are keys by themselves.
    "\\bhooks\\.slack\\.com/(services|workflows|triggers)/\\w",
    "\\bdiscord(app)?\\.com/api/webhooks/\\d",
    "[?&](sig|X-Amz-Signature|X-Goog-Signature)=\\w",
  ].join("|"),
);

/** References to secrets of the account, which the service fills in when a container starts, and nothing else. (API: Secrets, references) */
export const onlyReferences = /^\s*(\{\{\s*RUNPOD_SECRET_[^{}]+\}\}\s*)+$/;

/** No secret under any name: `HF_HUB_DISABLE_IMPLICIT_TOKEN=1`. */
export const switchOrDigit = /^(\d?|true|false)$/i;
