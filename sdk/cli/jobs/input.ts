import type { Command } from "commander";
import { inLine } from "../../../provider/mask";
import { propertyPath } from "../../../provider/path";
import type { Properties } from "../../../provider/value";
import { contentOf } from "../arguments";
import { tell } from "../output";

/** The input of a job, from the command line or from standard input (`-`). Ends the command where it is none that a worker would get as it is. */
export async function inputOf(text: string, command: Command): Promise<object> {
  const source = text === "-" ? await contentOf("-") : text;
  let input: unknown;
  try {
    input = JSON.parse(source);
  } catch {
    // The parser's own message repeats the input, which may be secret.
    command.error('error: the input is no JSON: quote it for the shell, such as \'{"prompt": "Hello"}\'');
  }
  if (typeof input !== "object" || input === null || Array.isArray(input))
    command.error('error: the input must be a JSON object, such as {"prompt": "Hello"}');
  const changed = inexact(input, JSON.parse(numbersAsTexts(source)));
  if (changed.length > 0) {
    const paths = changed.map((path) => inLine(propertyPath(path))).join(", ");
    command.error(
      `error: the input has numbers that cannot be sent exactly: write them as strings: ${paths}`,
    );
  }
  // The body of a request over HTTP, where `input` is the only key that has to be there. A worker may take such an input, too.
  if ("input" in input && Object.keys(input).length === 1)
    tell(
      'podlumi: the worker gets {"input": {"input": …}}: give the inner JSON alone, unless the worker takes it so',
    );
  return input;
}

/** The same JSON with its numbers as texts. Goes by small tokens, since a pattern for a whole text overflows on a large one. */
function numbersAsTexts(json: string): string {
  let inText = false;
  return json.replace(/\\.|"|-?\d[\d.eE+-]*/g, (token) => {
    if (token === '"') inText = !inText;
    return inText || !/^[-\d]/.test(token) ? token : JSON.stringify(token);
  });
}

/** The paths of numbers that JavaScript cannot hold as they are written. `written` has the numbers of `value` as texts. */
function inexact(value: unknown, written: unknown, path: readonly PropertyKey[] = []): PropertyKey[][] {
  if (typeof value === "number") return isExact(value, String(written)) ? [] : [[...path]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    inexact(inner, (written as Properties)[key], [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/** Fractions are rounded by everyone who reads them, so only whole numbers count, and those beyond any number. */
function isExact(value: number, written: string): boolean {
  return /^-?\d+$/.test(written) ? String(value) === String(BigInt(written)) : Number.isFinite(value);
}
