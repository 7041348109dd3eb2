import ts from "typescript";
import { Document, isCollection, visit } from "yaml";
import type { KindName } from "../../provider/resources";
import type { Properties } from "../../provider/value";
import { Expression } from "../../sdk/cli/program/language";
import { python } from "../../sdk/cli/program/python";

/** A part of an example: a plain value, or what only the program knows. */
type Value = string | number | boolean | Value[] | { [name: string]: Value } | Known;

/** A property of a variable, a secret of the configuration, or the text of a file. */
class Known {
  constructor(
    readonly kind: "property" | "config" | "file",
    readonly name: string,
    readonly path: readonly string[] = [],
  ) {}
}

interface Declared {
  readonly variable?: string;
  readonly kind: string;
  readonly name: string;
  readonly args: Record<string, Value>;
}

/** What an example declares, and what it exports without computing it. */
interface Program {
  readonly resources: readonly Declared[];
  readonly outputs: ReadonlyMap<string, Known>;
}

/** An example in TypeScript as one in Python and one in YAML. Each leaves out what all programs begin with. */
export function inOtherLanguages(example: string): { readonly python: string; readonly yaml: string } {
  const [, source = ""] = /^```ts\n(.*?)^```/ms.exec(example) ?? [];
  const program = read(source);
  return { python: inPython(program), yaml: inYaml(program) };
}

function read(source: string): Program {
  const resources: Declared[] = [];
  const outputs = new Map<string, Known>();
  const declare = (node: ts.NewExpression, variable?: string) => {
    const [name, args] = (node.arguments ?? []).map(partOf);
    const kind = (node.expression as ts.PropertyAccessExpression).name.text;
    resources.push({ variable, kind, name: name as string, args: (args ?? {}) as Declared["args"] });
  };
  for (const statement of ts.createSourceFile("example.ts", source, ts.ScriptTarget.Latest, true)
    .statements) {
    if (ts.isExpressionStatement(statement)) declare(statement.expression as ts.NewExpression);
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (initializer === undefined) continue;
      if (ts.isNewExpression(initializer)) declare(initializer, name.getText());
      // What a function computes, each language computes in its own way.
      else if (!ts.isCallExpression(initializer)) outputs.set(name.getText(), property(initializer));
    }
  }
  return { resources, outputs };
}

function partOf(node: ts.Expression): Value {
  if (ts.isStringLiteral(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(partOf);
  if (ts.isObjectLiteralExpression(node))
    return Object.fromEntries(
      node.properties.map((one) => {
        const { name, initializer } = one as ts.PropertyAssignment;
        return [(name as ts.Identifier).text, partOf(initializer)];
      }),
    );
  if (ts.isCallExpression(node)) {
    const [text] = node.arguments.map(partOf);
    const isFile = node.expression.getText() === "readFileSync";
    return new Known(isFile ? "file" : "config", text as string);
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword)
    return node.kind === ts.SyntaxKind.TrueKeyword;
  return property(node);
}

function property(node: ts.Expression, path: readonly string[] = []): Known {
  if (ts.isIdentifier(node)) return new Known("property", node.text, path);
  if (ts.isPropertyAccessExpression(node)) return property(node.expression, [node.name.text, ...path]);
  if (ts.isElementAccessExpression(node))
    return property(node.expression, [(node.argumentExpression as ts.StringLiteral).text, ...path]);
  throw new Error(`an example has an expression without a form in other languages: ${node.getText()}`);
}

/** A value with what the program knows in the form of a language. */
function withKnown(value: Value, form: (known: Known) => unknown): unknown {
  if (value instanceof Known) return form(value);
  if (Array.isArray(value)) return value.map((one) => withKnown(one, form));
  if (typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withKnown(inner, form)]));
}

/** Of a name that no language takes for a property: a key. */
const isKey = (name: string) => !/^[a-z_]\w*$/i.test(name);

function inPython({ resources, outputs }: Program): string {
  const code = ({ kind, name, path }: Known) => {
    if (kind === "config") return python.secret(name);
    if (kind === "file") return `open(${JSON.stringify(name)}).read()`;
    const parts = path.map((part) =>
      isKey(part) ? `[${JSON.stringify(part)}]` : `.${python.variable(part)}`,
    );
    return [python.variable(name), ...parts].join("");
  };
  const form = (known: Known) => new Expression(code(known), undefined);
  const declared = resources.map(({ variable, kind, name, args }) =>
    python.statement(
      { kind: kind as KindName, logicalName: name, args: withKnown(args, form) as Properties },
      variable && python.variable(variable),
    ),
  );
  const exported = [...outputs].map(([name, value]) => `pulumi.export("${name}", ${code(value)})`);
  return `${[...declared, ...exported].join("\n")}\n`;
}

function inYaml({ resources, outputs }: Program): string {
  const keys = new Map(resources.map(({ variable, name }) => [variable, name]));
  const form = ({ kind, name, path }: Known) => {
    if (kind === "config") return `\${${name}}`;
    if (kind === "file") return { "fn::readFile": name };
    const parts = path.map((part) => (isKey(part) ? `[${JSON.stringify(part)}]` : `.${part}`));
    return `\${${[keys.get(name) ?? name, ...parts].join("")}}`;
  };
  const document = new Document({
    resources: Object.fromEntries(
      resources.map(({ kind, name, args }) => [
        name,
        {
          type: `podlumi:${kind}`,
          ...(Object.keys(args).length > 0 && { properties: withKnown(args, form) }),
        },
      ]),
    ),
    ...(outputs.size > 0 && { outputs: withKnown(Object.fromEntries(outputs), form) }),
  });
  // Each argument is on a line of its own.
  visit(document, {
    Collection: (_key, node, path) => {
      if (path.length > 7 && isCollection(node)) node.flow = true;
    },
  });
  return document.toString({ lineWidth: 0 }).replaceAll("[ ", "[").replaceAll(" ]", "]");
}
