import { join, resolve } from "node:path";
import ts from "typescript";

const repository = resolve(__dirname, "../..");
const configured = ts.getParsedCommandLineOfConfigFile(join(repository, "tsconfig.json"), {}, {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
    throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n"));
  },
} as ts.ParseConfigFileHost);
const entries = ["", "jobs/", "policy/", "v1/", "emulator/", "testing/"].map((folder) =>
  join(repository, `sdk/${folder}index.ts`),
);
const program = ts.createProgram(entries, configured?.options ?? {});
export const checker = program.getTypeChecker();

/** The exports of a module. */
export function exportsOf(file: string): ts.Symbol[] {
  const source = program.getSourceFile(join(repository, file));
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${file} is no module of the program`);
  return checker.getExportsOfModule(module).map(original);
}

const original = (symbol: ts.Symbol) =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

/** The file that declares a symbol, relative to the repository. */
export function fileOf(symbol: ts.Symbol): string {
  const source = symbol.declarations?.[0]?.getSourceFile().fileName ?? "";
  return source.slice(repository.length + 1);
}

/** The text of its TSDoc, without tags. */
export function docOf(symbol: ts.Symbol): string {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  // The source of a rule is for who reads the code.
  return text.replace(/^- /, "").replace(/\s*\(API: [^)]*\)/g, "");
}

/** What the named type of a property says of itself, in its first paragraph. For a list, what that of its items says. */
export function docOfType(node: ts.TypeNode | undefined): string {
  if (node === undefined) return "";
  if (ts.isArrayTypeNode(node)) return docOfType(node.elementType);
  const symbol = ts.isTypeReferenceNode(node) ? checker.getSymbolAtLocation(node.typeName) : undefined;
  const own = symbol && original(symbol);
  const isOurs = own !== undefined && /^(sdk|provider)\//.test(fileOf(own));
  return isOurs ? (docOf(own).split("\n\n")[0] ?? "") : "";
}

/** The texts of a tag: `example`, `returns`, `throws`, `param`. */
export function tagsOf(symbol: ts.Symbol, name: string): string[] {
  return symbol
    .getJsDocTags(checker)
    .filter((tag) => tag.name === name)
    .map((tag) => ts.displayPartsToString(tag.text));
}

/** A property of an interface or a class. */
export interface Property {
  readonly name: string;
  readonly doc: string;
  readonly optional: boolean;
  /** The parameters of a method, as the source writes them. */
  readonly parameters: string | undefined;
  /** The type as the source writes it. Undefined where the source writes none. */
  readonly node: ts.TypeNode | undefined;
  readonly type: ts.Type;
}

export function propertiesOf(type: ts.Type): Property[] {
  return checker.getPropertiesOfType(type).map((symbol) => {
    const all = (symbol.declarations ?? []) as (ts.PropertySignature | ts.MethodSignature)[];
    // One member of a union may say that there is no such property.
    const declaration = all.find(({ type }) => type?.kind !== ts.SyntaxKind.UndefinedKeyword) ?? all[0];
    const signature = declaration;
    return {
      name: symbol.name,
      doc: docOf(symbol),
      optional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
      parameters:
        declaration && ts.isMethodSignature(declaration)
          ? `(${declaration.parameters.map((one) => one.getText()).join(", ")})`
          : undefined,
      node: signature?.type,
      type: declaration
        ? checker.getTypeOfSymbolAtLocation(symbol, declaration)
        : checker.getTypeOfSymbol(symbol),
    };
  });
}

export const declaredType = (symbol: ts.Symbol) => checker.getDeclaredTypeOfSymbol(symbol);

/**
 * A type as text, without `pulumi.Input` and `pulumi.Output`. Unions of string literals are written out. An interface is `object`, for
 * tables that have its properties too, unless it is `named`.
 */
export function plainType(node: ts.TypeNode, named = false): string {
  const plain = (inner: ts.TypeNode) => plainType(inner, named);
  if (ts.isTypeReferenceNode(node)) {
    const name = node.typeName.getText();
    const [inner] = node.typeArguments ?? [];
    if (/^pulumi\.(Input|Output)$/.test(name) && inner) return plain(inner);
    if (name === "Record" && node.typeArguments?.[1]) return `{ [name]: ${plain(node.typeArguments[1])} }`;
    if (objectIn(node).length > 0) return named ? node.getText() : "object";
    if (isOpen(node)) return "string";
    return words(checker.getTypeFromTypeNode(node)) ?? node.getText();
  }
  if (ts.isArrayTypeNode(node)) {
    const element = plain(node.elementType);
    return element.includes(" | ") ? `(${element})[]` : `${element}[]`;
  }
  if (ts.isParenthesizedTypeNode(node)) return plain(node.type);
  if (ts.isUnionTypeNode(node)) {
    const types = node.types.filter((one) => !isResource(one) && !isNothing(one));
    return [...new Set(types.map(plain))].join(" | ");
  }
  return node.getText().replace(/pulumi\.Input<(\w+)>/g, "$1");
}

/** An output of nothing in place of an optional argument. What is optional has a column of its own. */
const isNothing = (node: ts.TypeNode) =>
  node.kind === ts.SyntaxKind.UndefinedKeyword && /^pulumi\.Input</.test(node.parent.parent.getText());

/** A resource in place of its id: only programs in TypeScript have that. */
export const isResource = (node: ts.TypeNode) => /^Has(Id<\w+>|Reference)$/.test(node.getText());

/** Any text, in a union of known ones. */
export const openText = "(string & {})";

function isOpen(node: ts.TypeReferenceNode): boolean {
  const symbol = checker.getSymbolAtLocation(node.typeName);
  const [declared] = (symbol && original(symbol).declarations) ?? [];
  return (
    declared !== undefined &&
    ts.isTypeAliasDeclaration(declared) &&
    declared.type.getText().includes(openText)
  );
}

/** The podlumi interfaces in a type node. `path` gets a `[]` for each list around the interface. */
export function objectIn(node: ts.TypeNode, path = ""): { type: ts.Type; path: string }[] {
  if (ts.isArrayTypeNode(node)) return objectIn(node.elementType, `${path}[]`);
  if (ts.isUnionTypeNode(node)) return node.types.flatMap((one) => objectIn(one, path));
  if (!ts.isTypeReferenceNode(node) || isResource(node)) return [];
  const [inner] = node.typeArguments ?? [];
  if (node.typeName.getText() === "pulumi.Input" && inner) return objectIn(inner, path);
  const type = checker.getTypeFromTypeNode(node);
  const symbol = type.getSymbol();
  const ours = symbol !== undefined && /^(sdk|provider)\//.test(fileOf(symbol));
  return ours && symbol.flags & ts.SymbolFlags.Interface ? [{ type, path }] : [];
}

/** A union of string literals, written out. Undefined for other types. */
function words(type: ts.Type): string | undefined {
  if (!type.isUnion() || !type.types.every((one) => one.isStringLiteral())) return undefined;
  return type.types.map((one) => checker.typeToString(one)).join(" | ");
}

/** The type in an output, as text. */
export function outputType(type: ts.Type): string {
  const [held] = (type as ts.TypeReference).typeArguments ?? type.aliasTypeArguments ?? [];
  return typeText(held ?? type);
}

export const typeText = (type: ts.Type) =>
  words(type) ??
  checker
    .typeToString(
      type,
      undefined,
      ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope,
    )
    .replace(/(\?: [^;]*?) \| undefined(?=;)/g, "$1");
