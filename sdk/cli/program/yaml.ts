import { camelCase, Expression, type Language, onOneLine, type Style, width } from "./language";
import { quotedWithLongEscapes } from "./quoted";
import { typescript } from "./typescript";

/** Pulumi takes `${` for a reference, and `$$` for one `$`. */
const plain = (value: unknown) => quotedWithLongEscapes(value).replace(/\$(?=[${])/g, "$$$$");

/** A name in no quotes, where no reader of YAML takes it for something else. */
const isName = (name: string) =>
  /^[A-Za-z_]\w*$/.test(name) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(name);

const style: Style = {
  indent: "  ",
  braces: ["{ ", " }"],
  scalar: plain,
  key: (name) => (isName(name) ? name : plain(name)),
  expression: (code) => `"\${${code}}"`,
};

/** An entry of a mapping: its value is on the line of the key if it fits, and else below. */
function entry(key: string, value: unknown, indent: string): string {
  const begin = `${indent}${style.key(key)}:`;
  const line = `${begin} ${onOneLine(style, value)}`;
  const isWhole = value instanceof Expression || typeof value !== "object" || value === null;
  if (isWhole || line.length <= width) return line;
  const inner = `${indent}${style.indent}`;
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}- ${onOneLine(style, item)}`)
    : Object.entries(value).map(([key, item]) => entry(key, item, inner));
  return [begin, ...lines].join("\n");
}

/** The first lines of Pulumi.yaml in every language. */
export const projectHead = (name: string) => [
  // In quotes, since YAML takes 2026 and true for no texts.
  `name: ${JSON.stringify(name)}`,
  "description: RunPod resources",
];

/** The program is the whole Pulumi.yaml. */
export const yaml: Language = {
  reserved: typescript.reserved,
  oneScope: true,
  variable: camelCase,
  secret: (name) => name,
  head: (settings, project, hasResources) => [
    ...projectHead(project),
    "runtime: yaml",
    ...(settings.length > 0 ? ["config:"] : []),
    ...settings.map((name) => `  ${style.key(name)}: { type: string, secret: true }`),
    // Pulumi takes no section without entries.
    ...(hasResources ? ["resources:"] : []),
  ],
  comment: (line) => `  # ${line}`,
  statement: ({ kind, logicalName, args, readId }, variable) =>
    [
      `  ${style.key(String(variable))}:`,
      `    type: podlumi:${kind}`,
      ...(variable === logicalName ? [] : [`    name: ${plain(logicalName)}`]),
      ...(readId === undefined ? [] : [entry("get", { id: readId }, "    ")]),
      ...(readId === undefined && Object.keys(args).length > 0 ? [entry("properties", args, "    ")] : []),
    ].join("\n"),
};
