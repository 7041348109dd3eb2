import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";

/** A text for people in a source file. What is filled in counts as a few letters. */
export interface Text {
  readonly file: string;
  readonly text: string;
}

/** The texts of several words in a folder. */
export function textsOf(folder: string): Text[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  return files.flatMap((file) => {
    const source = ts.createSourceFile(
      file,
      readFileSync(`${folder}/${file}`, "utf8"),
      ts.ScriptTarget.Latest,
      true,
    );
    const found: Text[] = [];
    const visit = (node: ts.Node): void => {
      const text = textOf(node);
      if (text !== undefined && /\w \w+ \w/.test(text) && !text.includes("\n")) found.push({ file, text });
      else ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}

/** The text of a literal, or of several that are joined; undefined for anything else. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.map(({ literal }) => `filled in${literal.text}`)].join("");
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}
