/** The placeholder for the value of a secret in `env`. (API: Secrets) */
export const referenceTo = (name: string) => `{{ RUNPOD_SECRET_${name} }}`;
