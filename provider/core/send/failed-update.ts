import { isRecord, mapped, type Properties } from "../../value";
import type { Edit } from "../call";
import { explain, HalfDoneError, leaving } from "../errors";
import { withoutMark } from "../mark/carried";
import { declaredAfter, unclearAfter, unfinishedIn, withUnfinished } from "../state/unfinished";
import { title } from "../telling";

/** The error of an update, with the state that is kept where it has changed something, or may have. */
export function failedUpdate(edit: Edit, error: unknown): Error {
  const { kind, run, id, state, inputs } = edit;
  const what = `could not update ${title(kind, inputs)} (${id})`;
  const explained = explain(error, what, edit);
  if (!(error instanceof HalfDoneError)) return explained;
  const { observed, unclear: fields } = error;
  const left = withoutMark(withParts(state, observed));
  const unclear = unclearAfter(state, fields, run.timestamp()) ?? unfinishedIn(state).unclear;
  const properties = {
    ...left,
    __declared: declaredAfter(left, fields, inputs),
    ...withUnfinished({ ...unfinishedIn(state), unclear }),
    __provider: inputs.__provider,
  };
  return leaving(explained.message, id, properties);
}

/** A state with what requests have changed. Of an object, that is some of its keys. */
function withParts(state: Properties, changed: Properties): Properties {
  const whole = (value: unknown, name: string) =>
    isRecord(value) ? { ...Object(state[name]), ...value } : value;
  return { ...state, ...mapped(changed, whole) };
}
