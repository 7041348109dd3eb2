import { camelCase, type Language, literal, type Style } from "./language";
import { quoted } from "./quoted";

export const style: Style = {
  indent: "  ",
  braces: ["{ ", " }"],
  scalar: quoted,
  key: (name) => {
    // Without brackets, it would set the prototype.
    if (name === "__proto__") return '["__proto__"]';
    return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
  },
};

export const typescript: Language = {
  // Forbidden by TypeScript, by strict mode, or by the function around a CommonJS module.
  reserved: (
    "arguments await break case catch class config const continue debugger default delete do else enum eval export " +
    "exports extends false finally for function if implements import in instanceof interface let module new null " +
    "package podlumi private protected public pulumi require return static super switch this throw true try typeof " +
    "undefined var void while with yield"
  ).split(" "),
  variable: camelCase,
  secret: (name) => `config.requireSecret(${JSON.stringify(name)})`,
  head: ({ length }) => [
    ...(length > 0 ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
    'import * as podlumi from "podlumi";',
    ...(length > 0 ? ["", "const config = new pulumi.Config();"] : []),
  ],
  comment: (line) => `// ${line}`,
  statement: ({ kind, logicalName, args, readId }, variable) => {
    const name = quoted(logicalName);
    const assigned = variable === undefined ? "" : `const ${variable} = `;
    if (readId !== undefined) return `${assigned}podlumi.${kind}.get(${name}, ${quoted(readId)});`;
    const call = `${assigned}new podlumi.${kind}(${name}, `;
    return `${call}${literal(style, args, call.length + 2)});`;
  },
};
