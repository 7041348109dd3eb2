// Texts about data that a replacement deletes. `lost` is the data in words: `the data on it`.

/** `changes` say what differs, `keep` how to keep the object, `lose` how to lose it. */
export function dataLoss(changes: readonly string[], lost: string, keep: string, lose: string): string {
  const next = keep === "" ? `To allow that, ${lose}` : `${keep} to keep it, or ${lose}`;
  return `${changes.join("; ")}, and ${lost} would be lost. ${next}`;
}

export const dataLossUnknown = (changed: string, noun: string, lost: string, confirm: string) =>
  `${changed} is not known yet: \`pulumi up\` fails if it replaces the ${noun} with ${lost}. To allow that, ${confirm}`;

/** No confirmation covers drift. */
export const replaceByCommand = "run `pulumi up --replace` with its URN";

export const dataIsLost = (changed: string, noun: string, id: string, lost: string) =>
  `a change of ${changed} replaces the ${noun} ${id}, and ${lost} is lost. To have retainOnDelete keep the object, run an \`up\` with ` +
  "that option first";

export const confirmationIsSpent = (key: string, id: string) =>
  `${key} has ${id}, which nothing replaces: remove it, or it also confirms a later replacement`;
