import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Difference } from "./compare";

/** A line of podlumi or of its emulator that assumes something of the service. */
export interface Line {
  readonly file: string;
  readonly number: number;
  readonly text: string;
}

interface Assumption extends Line {
  readonly aspects: readonly string[];
  readonly operation: RegExp;
  readonly paths: readonly RegExp[];
}

const root = join(__dirname, "../..");

/**
 * The comment of a line that assumes something: `// assumes: value POST /pods*: cloud, locked`. It names aspects of a
 * difference, an operation, and perhaps fields or headers; `*` stands for anything. The line is the next one of code.
 */
const tag = /assumes: ([\w ,]+?) ((?:\*|[A-Z]+|GraphQL) [^\s:]+)(?:: (.*?))?(?: \*\/)?$/;

let known: Assumption[] | undefined;

/** All that podlumi and its emulator say they assume. */
export function assumptions(): readonly Assumption[] {
  known ??= ["sdk/emulator/service", "provider"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) => inFile(join(root, folder, file))),
  );
  return known;
}

function inFile(file: string): Assumption[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.flatMap((line, index) => {
    const [, aspects, operation, paths] = tag.exec(line.trim()) ?? [];
    if (aspects === undefined || operation === undefined) return [];
    const next = lines.findIndex((text, other) => other > index && !/^\s*(\/\/|\*|\/\*|$)/.test(text));
    return {
      file: relative(root, file),
      number: next + 1,
      text: (lines[next] ?? "").trim(),
      aspects: aspects.split(", "),
      operation: pattern(operation),
      paths: paths === undefined ? [] : paths.split(", ").map(pattern),
    };
  });
}

const pattern = (text: string) =>
  new RegExp(`^${text.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`);

/**
 * The lines that assume otherwise than the service does, of the emulator and of podlumi: those that name the very
 * field, or else those that name the operation most exactly. Without any, it is the line that declares the operation.
 */
export function linesOf({ aspect, operation, path }: Difference): Line[] {
  const fitting = assumptions().filter(
    (one) => one.aspects.includes(aspect) && one.operation.test(operation),
  );
  const found = ["sdk/emulator/service", "provider"].flatMap((area) => {
    const own = fitting.filter(({ file }) => file.startsWith(area));
    const named = own.filter(({ paths }) => paths.some((one) => one.test(path)));
    if (named.length > 0) return named;
    const whole = own.filter(({ paths }) => paths.length === 0 || path === "");
    const best = Math.max(...whole.map(exactness));
    return whole.filter((one) => exactness(one) === best);
  });
  if (found.length > 0) return found;
  return aspect === "no change" ? fieldOf(operation, path) : routeOf(operation);
}

const exactness = ({ operation }: Assumption) => operation.source.replaceAll(".*", "").length;

/** The row of a field in the field table of a kind (`up network-volume`), or in one that kinds share. */
function fieldOf(operation: string, field: string): Line[] {
  for (const folder of [operation.replace(/^up /, ""), "container", "labels"]) {
    const file = `provider/resources/${folder}/index.ts`;
    const lines = readFileSync(join(root, file), "utf8").split("\n");
    const index = lines.findIndex((line) => new RegExp(`^ {2,4}${field}: `).test(line));
    if (index >= 0) return [{ file, number: index + 1, text: (lines[index] ?? "").trim() }];
  }
  return [];
}

/** Where the emulator declares an operation. */
function routeOf(operation: string): Line[] {
  const [method, path] = operation.split(" ");
  const folder = join(root, "sdk/emulator/service/rest/routes");
  for (const name of readdirSync(folder)) {
    const lines = readFileSync(join(folder, name), "utf8").split("\n");
    const index = lines.findIndex(
      (line, at) => line.includes(`path: "${path}",`) && lines[at - 1]?.includes(`method: "${method}"`),
    );
    if (index >= 0)
      return [
        {
          file: `sdk/emulator/service/rest/routes/${name}`,
          number: index + 1,
          text: (lines[index] ?? "").trim(),
        },
      ];
  }
  return [];
}
