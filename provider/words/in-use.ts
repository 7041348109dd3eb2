// Texts about what uses an object that is to be deleted. Users come as `endpoint "chat" (ep1)`.

export const usedBy = (users: readonly string[], seconds: number) =>
  `${users.join(", ")} still uses it after ${seconds} s: ${next}`;

/** The service refuses the deletion, and does not tell which of these is the reason. */
export const maybeUsedBy = (refusal: string, suspects: readonly string[], seconds: number) =>
  `${refusal} After ${seconds} s, ${suspects.join(", ")} may use it: if so, ${next}`;

export const usedByNobodyKnown = (refusal: string, seconds: number) =>
  `${refusal} After ${seconds} s, nothing is known to use it: run the command again, since the service may free it soon`;

const next = "delete that first, or declare it again";
