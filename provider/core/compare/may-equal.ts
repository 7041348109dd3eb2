import { isSecret } from "../kind/secret-value";
import { isRecord, isUnknown } from "../value";

/** Whether a value of a state may be this one. Secrets there are encrypted, and may be any, as may what a preview does not know. */
export function mayEqual(stated: unknown, value: unknown): boolean {
  if (isSecret(stated) || isUnknown(value)) return true;
  if (Array.isArray(stated))
    return (
      Array.isArray(value) &&
      stated.length === value.length &&
      stated.every((item, index) => mayEqual(item, value[index]))
    );
  if (!isRecord(stated)) return stated === value;
  const keys = isRecord(value) ? [...Object.keys(stated), ...Object.keys(value)] : [];
  return isRecord(value) && keys.every((key) => mayEqual(stated[key], value[key]));
}
