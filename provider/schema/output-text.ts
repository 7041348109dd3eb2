import { type Path, propertyPath } from "../path";
import { isRecord } from "../value";
import type { Failure } from "./failure";

/** What Pulumi's libraries for JavaScript and Python put into a text in place of an output, whose value comes later. */
const placeholder = /Calling \S+ on an \[?Output\WT\W+is not supported/;

const reason =
  "an output has no value in a text: use pulumi.interpolate, pulumi.jsonStringify or apply; " +
  "in Python, pulumi.Output.format, pulumi.Output.json_dumps or apply";

/** The texts, at any depth, into which the program has put an output. */
export function outputsInTexts(value: unknown, path: Path = []): Failure[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => outputsInTexts(item, [...path, index]));
  if (isRecord(value))
    return Object.entries(value).flatMap(([name, item]) => outputsInTexts(item, [...path, name]));
  const isOne = typeof value === "string" && placeholder.test(value);
  return isOne ? [{ property: propertyPath(path), reason }] : [];
}
