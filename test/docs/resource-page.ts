import ts from "typescript";
import { definitions, type KindName } from "../../provider/resources";
import type { Field } from "../../provider/schema/field";
import { isEmpty } from "../../provider/value";
import { entry } from "./entry";
import { inOtherLanguages } from "./languages";
import { cell, code, example, generated, linked, page, table } from "./markdown";
import {
  declaredType,
  docOf,
  exportsOf,
  objectIn,
  outputType,
  type Property,
  plainType,
  propertiesOf,
  tagsOf,
  typeText,
} from "./source";

/** The page of a resource: description, arguments with the effect of a change, outputs. */
export function resourcePage(kind: KindName): string {
  const all = exportsOf("sdk/index.ts");
  const named = (name: string) => {
    const found = all.find((symbol) => symbol.name === name);
    if (found === undefined) throw new Error(`sdk/index.ts exports no ${name}`);
    return found;
  };
  const [made, args] = [named(kind), named(`${kind}Args`)];
  const fields: Record<string, Field | undefined> = definitions[kind].fields;
  const kept = new Set(propertiesOf(declaredType(named(`${kind}State`))).map(({ name }) => name));
  // Outputs that the class derives from its state come last.
  const outputs = propertiesOf(declaredType(made))
    .filter(({ type, name }) => isOutput(type) && !isOfPulumi(name))
    .sort((a, b) => Number(kept.has(b.name)) - Number(kept.has(a.name)));
  return page(
    generated,
    `# ${kind}`,
    linked(docOf(made), ""),
    ...examples(tagsOf(made, "example").map(example)),
    existing(kind),
    "## Arguments",
    linked(docOf(args).replace(/^Arguments of (?:a )?\{@link\s+\w+\s*\}\. /, ""), ""),
    "The columns *Change* and *When removed*: [in place, or by replacement](../deploying.md#in-place-or-by-replacement).",
    table(
      ["Argument", "Type", "Default", "Change", "When removed", "What it is"],
      propertiesOf(declaredType(args))
        .sort((a, b) => Number(a.optional) - Number(b.optional))
        .flatMap((property) => rows(kind, property, fields[property.name])),
    ),
    "## Outputs",
    table(
      ["Output", "Type", "What it is"],
      [
        ["`id`", "`string`", "The id that the service gave it."],
        ...outputs.map(({ name, type, doc }) => [code(name), withLink(outputType(type)), cell(doc)]),
      ],
    ),
    ...types(all, [...outputs.map(({ type }) => outputType(type)), ...nodesOf(declaredType(args))]),
  );
}

/** The first example is there in the other languages, too. */
function examples([first = "", ...more]: readonly string[]): string[] {
  const { python, yaml } = inOtherLanguages(first);
  const others = [`\`\`\`python\n${python}\`\`\``, `\`\`\`yaml\n${yaml}\`\`\``];
  return [first, "In [Python and YAML](../languages.md):", ...others, ...more];
}

/** How a program gets an object that it has not created. */
function existing(kind: KindName): string {
  const imports = "[`pulumi import`](../plugin.md#import) takes it into the state";
  if (single(kind))
    return `\`${kind}.get(name)\` only reads what exists, and ${imports}, with the id \`ssh-keys\`.`;
  const adopts = "[`adopt`](../how-podlumi-decides.md#adopt) makes it the resource's own";
  return `\`${kind}.get(name, id)\` only reads an object that exists, ${adopts}, and ${imports}.`;
}

/** Types of several kinds, which the reference describes. */
const inReference = ["CostEstimate"];

const withLink = (type: string) =>
  inReference.includes(type) ? `[${code(type)}](../reference.md#${type.toLowerCase()})` : code(type);

/** The section on types that the page names but does not describe elsewhere. */
function types(all: readonly ts.Symbol[], texts: readonly string[]): string[] {
  const named = new Set<ts.Symbol>();
  const add = (text: string) => {
    for (const symbol of all) {
      if (named.has(symbol) || inReference.includes(symbol.name)) continue;
      if (!(symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias))) continue;
      if (!new RegExp(`\\b${symbol.name}\\b`).test(text)) continue;
      named.add(symbol);
      add(symbol.declarations?.find(ts.isTypeAliasDeclaration)?.type.getText() ?? "");
      for (const { type, node } of propertiesOf(declaredType(symbol))) {
        if (node !== undefined) add(typeText(type));
      }
    }
  };
  for (const text of texts) add(text);
  return named.size === 0 ? [] : ["## Types", ...[...named].flatMap((symbol) => entry(symbol, ""))];
}

/** The type texts of all properties of a type, at any depth. */
function nodesOf(type: ts.Type): string[] {
  return propertiesOf(type).flatMap(({ node }) =>
    node === undefined ? [] : [plainType(node), ...objectIn(node).flatMap((inner) => nodesOf(inner.type))],
  );
}

const single = (kind: KindName) => "single" in definitions[kind];
const isOutput = (type: ts.Type) => (type.symbol ?? type.aliasSymbol)?.name.startsWith("Output") === true;
const isOfPulumi = (name: string) => name === "urn" || name === "id";

/** The table row of an argument, followed by the rows of its properties. */
function rows(kind: KindName, property: Property, field: Field | undefined, prefix = ""): string[][] {
  const { name, node, doc, optional } = property;
  const path = `${prefix}${name}`;
  const { text, fallback } = apart(doc);
  const top = prefix === "";
  const row = [
    code(path),
    code(node === undefined ? "" : plainType(node)),
    optional ? fallback : "required",
    top ? changeOf(kind, field) : "",
    top && optional ? removal(field) : "",
    cell(text),
  ];
  const inner = node === undefined ? [] : objectIn(node);
  const below = inner.flatMap(({ type, path: list }) =>
    propertiesOf(type).flatMap((one) => rows(kind, one, undefined, `${path}${list}.`)),
  );
  return [row, ...unique(below)];
}

/** Merges rows with the same path. The alternatives of a union share properties, such as `type`. */
function unique(all: string[][]): string[][] {
  const merged = new Map<string, string[]>();
  for (const row of all) {
    const before = merged.get(row[0] as string);
    if (before === undefined) merged.set(row[0] as string, row);
    else if (before[1] !== row[1]) before[1] = code(`${plain(before[1])} | ${plain(row[1])}`);
  }
  return [...merged.values()];
}

const plain = (cellText = "") => cellText.replaceAll("`", "").replaceAll("\\|", "|");

/** Splits TSDoc text into the default (`fallback`) and the rest. */
function apart(doc: string): { text: string; fallback: string } {
  const match = /(?:^|\s)Default:? (`[^`]*`|[^.`]+(?:`[^`]*`[^.`]*)*)\.(?=\s|$)/.exec(doc);
  if (match === null) return { text: doc, fallback: "" };
  return { text: doc.replace(match[0], ""), fallback: cell(match[1] ?? "") };
}

function changeOf(kind: KindName, field: Field | undefined): string {
  if (field === undefined) return "none"; // `adopt`, which is in no field table
  if (field.setting) return "steers podlumi only";
  if (field.change === "replace") return "**replaced**";
  const inPlace = field.restarts ? `in place, restarts the ${definitions[kind].noun}` : "in place";
  // What an account has once cannot be replaced.
  return typeof field.change === "function" && !field.inPlace && !definitions[kind].single
    ? `${inPlace}${field.restarts ? "," : ""} or **replaced**`
    : inPlace;
}

/** The effect of removing an argument from the program. */
function removal(field: Field | undefined): string {
  if (field === undefined || field.setting) return "";
  if (field.default !== undefined) return code(JSON.stringify(field.default));
  if (!("cleared" in field)) return "stays as it is";
  if (isEmpty(field.cleared)) return "cleared";
  const to = field.toRequest === undefined ? field.cleared : field.toRequest(field.cleared);
  const otherwise =
    field.givenBy === undefined ? "" : `; with ${field.givenBy.map(code).join(" or ")}, stays as it is`;
  return `${code(JSON.stringify(to))}${otherwise}`;
}
