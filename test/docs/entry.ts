import ts from "typescript";
import { cell, code, example, linked, table } from "./markdown";
import { checker, declaredType, docOf, docOfType, plainType, propertiesOf, tagsOf, typeText } from "./source";

/**
 * The documentation of an export: text, signature or properties, examples. `folder` is the path to the pages of the
 * resources. If `all` contains the variant for outputs (`getPodOutput` of `getPod`), it is documented with it.
 */
export function entry(symbol: ts.Symbol, folder: string, all: readonly ts.Symbol[] = []): string[] {
  const heading = [`### ${symbol.name}`, linked(docOf(symbol), folder)];
  const examples = tagsOf(symbol, "example").map(example);
  const thrown = tagsOf(symbol, "throws").map((text) => `Throws ${linked(text, folder)}`);
  if (symbol.flags & ts.SymbolFlags.Class) return [...heading, ...examples, ...classBody(symbol, folder)];
  if (symbol.flags & ts.SymbolFlags.Interface) return [...heading, ...examples, properties(symbol)];
  if (symbol.flags & ts.SymbolFlags.TypeAlias) return [...heading, ...examples, aliased(symbol)];
  const declaration = symbol.valueDeclaration as ts.Declaration;
  const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
  const [call] = type.getCallSignatures();
  if (call === undefined) return [...heading, block(`${symbol.name}: ${typeText(type)}`)];
  const pair = all.find(({ name }) => name === `${symbol.name}Output`);
  const also = pair && [`\`${pair.name}\`: ${linked(docOf(pair))}`, ...tagsOf(pair, "example").map(example)];
  return [...heading, block(signature(symbol.name, call)), ...thrown, ...examples, ...(also ?? [])];
}

const block = (text: string) => `\`\`\`ts\n${text}\n\`\`\``;

/** Names a destructured parameter `options`, and removes `| undefined` from optional parameters. */
function signature(name: string, call: ts.Signature): string {
  const text = checker.signatureToString(call, undefined, ts.TypeFormatFlags.NoTruncation);
  const plainer = text
    .replace(/\{ [\w,. ]+ \}(\??): /g, "options$1: ")
    .replace(/(\?: (?:\([^()]*\)|[^,;()]*?)) \| undefined(?=[,;)])/g, "$1");
  return `${name}${plainer}`;
}

function properties(symbol: ts.Symbol): string {
  const rows = propertiesOf(declaredType(symbol)).map(
    ({ name, node, type, optional, parameters = "", doc }) => [
      code(`${name}${optional ? "?" : ""}${parameters}`),
      code(node === undefined ? typeText(type) : plainType(node, true).replace(/\s+/g, " ")),
      cell(doc || docOfType(node)),
    ],
  );
  return rows.length === 0 ? "" : table(["Property", "Type", "What it is"], rows);
}

function aliased(symbol: ts.Symbol): string {
  const declaration = symbol.declarations?.find(ts.isTypeAliasDeclaration);
  return block(declaration?.getText().replace(/^export /, "") ?? symbol.name);
}

/** The constructor and the class's own members. Inherited ones belong to Error or to Pulumi. */
function classBody(symbol: ts.Symbol, folder: string): string[] {
  const declaration = symbol.declarations?.find(ts.isClassDeclaration);
  const made = checker
    .getTypeOfSymbolAtLocation(symbol, declaration as ts.Declaration)
    .getConstructSignatures()
    .filter((one) => !one.getJsDocTags().some(({ name }) => name === "internal"))
    .map((one) => `new ${signature(symbol.name, one)}`);
  // A constructor parameter may declare a property.
  const own = ({ valueDeclaration: where }: ts.Symbol) =>
    where?.parent === declaration || where?.parent?.parent === declaration;
  const members = checker
    .getPropertiesOfType(declaredType(symbol))
    .filter((member) => own(member) && !/^[_#]/.test(member.name));
  const fields = members.filter((member) => !(member.flags & ts.SymbolFlags.Method));
  const methods = members.filter((member) => member.flags & ts.SymbolFlags.Method);
  return [
    ...made.slice(0, 1).map(block),
    ...(fields.length === 0
      ? []
      : [
          table(
            ["Property", "Type", "What it is"],
            fields.map((member) => {
              const type = checker.getTypeOfSymbolAtLocation(
                member,
                member.valueDeclaration as ts.Declaration,
              );
              return [code(member.name), code(typeText(type)), cell(docOf(member))];
            }),
          ),
        ]),
    ...methods.flatMap((member) => method(symbol.name, member, folder)),
  ];
}

function method(owner: string, member: ts.Symbol, folder: string): string[] {
  const type = checker.getTypeOfSymbolAtLocation(member, member.valueDeclaration as ts.Declaration);
  return [
    `#### ${owner}.${member.name}`,
    linked(docOf(member), folder),
    ...type.getCallSignatures().map((call) => block(signature(member.name, call))),
    ...tagsOf(member, "param").map((text) => linked(text, folder)),
    ...tagsOf(member, "returns").map((text) => `Returns: ${linked(text, folder)}`),
    ...tagsOf(member, "throws").map((text) => `Throws ${linked(text, folder)}`),
    ...tagsOf(member, "example").map(example),
  ];
}
