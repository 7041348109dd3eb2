import { identifier, type Language, literal, type Style, width, wordsOf } from "./language";
import { quotedWithLongEscapes as quoted } from "./quoted";

const constants = new Map<unknown, string>([
  [null, "None"],
  [true, "True"],
  [false, "False"],
]);

/** How the generated SDK calls an argument: `vcpuCount` is `vcpu_count`. */
const snakeCase = (...names: string[]) => identifier(wordsOf(names).join("_"));

const style: Style = {
  indent: "    ",
  braces: ["{", "}"],
  scalar: (value) => constants.get(value) ?? quoted(value),
  key: (name) => quoted(snakeCase(name)),
};

/** The names of variables and tags are the program's own. */
const ofNames: Style = { ...style, key: quoted };

export const python: Language = {
  reserved: (
    "False None True and as assert async await break class config continue def del elif else except finally for from " +
    "global if import in is lambda nonlocal not or pass podlumi pulumi raise return try while with yield"
  ).split(" "),
  variable: snakeCase,
  secret: (name) => `config.require_secret(${JSON.stringify(name)})`,
  head: ({ length }) => [
    "import podlumi",
    ...(length > 0 ? ["import pulumi", "", "config = pulumi.Config()"] : []),
  ],
  comment: (line) => `# ${line}`,
  statement: ({ kind, logicalName, args, readId }, variable) => {
    const name = quoted(logicalName);
    const assigned = variable === undefined ? "" : `${variable} = `;
    if (readId !== undefined) return `${assigned}podlumi.${kind}.get(${name}, ${quoted(readId)})`;
    const given = (column: number, indent: string) =>
      Object.entries(args).map(([key, value]) => {
        const named = `${snakeCase(key)}=`;
        const keys = ["env", "tags"].includes(key) ? ofNames : style;
        return named + literal(keys, value, column + named.length + 1, indent);
      });
    const call = `${assigned}podlumi.${kind}(`;
    const line = `${call}${[name, ...given(Number.NEGATIVE_INFINITY, "")].join(", ")})`;
    if (line.length <= width) return line;
    return [call, ...[name, ...given(4, style.indent)].map((one) => `${style.indent}${one},`), ")"].join(
      "\n",
    );
  },
};
