import ts from "typescript";
import * as z from "zod";
import manifest from "../../package.json";
import { functions } from "../../provider/functions";
import type { FunctionDefinition } from "../../provider/functions/definition";
import { type FunctionName, secretsOf } from "../../provider/functions/signatures";
import { pluginTokenOf, typeOf } from "../../provider/identity";
import { definitions, type KindName } from "../../provider/resources";
import type { Field } from "../../provider/schema/field";
import { mapped } from "../../provider/value";
import {
  checker,
  declaredType,
  docOf,
  exportsOf,
  isResource,
  openText,
  type Property,
  propertiesOf,
} from "./source";

type Spec = Record<string, unknown>;

/** A maintainer fills in where the package is to be found. */
const { author, version, homepage, repository }: Manifest = manifest;
type Manifest = Record<"author" | "version", string> & { homepage?: string; repository?: { url: string } };

/** Paths of whole numbers, as the tables of the fields have them: `gpu.count`, `placements[].gpu.count`. */
type Integers = ReadonlySet<string>;

/** The schema of the plugin, as JSON: arguments and outputs from their interfaces, whole numbers and secrets from the tables. */
export function schema(): string {
  const types: Record<string, Spec> = {};
  const kinds = (Object.keys(definitions) as KindName[]).sort();
  // Where an argument and an output have types of one name, the argument keeps it.
  const inputs = kinds.map((kind) => inputsSpec(kind, types));
  const resources = Object.fromEntries(
    kinds.map((kind, index) => [pluginTokenOf(kind), { ...inputs[index], ...outputsSpec(kind, types) }]),
  );
  const functionSpecs = signatures().map((signature) => [
    pluginTokenOf(signature.name),
    functionSpec(signature, types),
  ]);
  const settings = providerSettings();
  const whole = {
    name: "podlumi",
    displayName: "podlumi",
    version,
    description:
      "RunPod: pods, clusters, Serverless endpoints, network volumes, templates, secrets and credentials.",
    keywords: ["pulumi", "runpod", "gpu", "serverless", "category/cloud", "kind/native"],
    publisher: author,
    license: "Apache-2.0",
    homepage,
    repository: repository?.url,
    language: {
      csharp: { respectSchemaVersion: true },
      python: { packageName: "podlumi", pyproject: { enabled: true }, respectSchemaVersion: true },
      go: { respectSchemaVersion: true },
      nodejs: { respectSchemaVersion: true },
    },
    config: { variables: withVariables(settings) },
    provider: {
      description: "Another account, or another address, in the same program.",
      inputProperties: settings,
    },
    types: Object.fromEntries(Object.entries(types).sort(([a], [b]) => (a < b ? -1 : 1))),
    resources,
    functions: Object.fromEntries(functionSpecs),
  };
  return `${JSON.stringify(whole, undefined, 2)}\n`;
}

const all = exportsOf("sdk/index.ts");

function named(name: string): ts.Symbol {
  const found = all.find((symbol) => symbol.name === name);
  if (found === undefined) throw new Error(`sdk/index.ts exports no ${name}`);
  return found;
}

function providerSettings(): Record<string, Spec> {
  const given = propertiesOf(declaredType(named("ProviderArgs")));
  const place = { types: {}, integers: new Set<string>(), path: "", hint: "Provider", output: false };
  return Object.fromEntries(
    given.map(({ name, doc, node }) => [
      name,
      {
        ...(node && typeSpec(node, place)),
        description: plain(doc),
        ...(name === "apiKey" && { secret: true }),
      },
    ]),
  );
}

/**
 * The settings with the environment variables that they come from by default. Those of a `Provider` get none: an SDK would put the value into
 * the state, and a later command would use it there in place of the variable.
 */
function withVariables(settings: Record<string, Spec>): Record<string, Spec> {
  const variableOf = (doc: unknown) => /`(RUNPOD_\w+)`/.exec(String(doc))?.[1];
  return mapped(settings, (spec) => {
    const variable = variableOf(spec.description);
    return variable === undefined ? spec : { ...spec, defaultInfo: { environment: [variable] } };
  });
}

/** The methods of the interface that names all functions. */
export function signatures(): { readonly name: FunctionName; readonly node: ts.MethodSignature }[] {
  const all = exportsOf("provider/functions/signatures.ts").find(({ name }) => name === "Functions");
  if (all === undefined) throw new Error("there is no interface of all functions");
  return checker.getPropertiesOfType(declaredType(all)).map(({ name, valueDeclaration }) => ({
    name: name as FunctionName,
    node: valueDeclaration as ts.MethodSignature,
  }));
}

function functionSpec({ name, node }: ReturnType<typeof signatures>[number], types: Record<string, Spec>) {
  const { args, kind, list } = functions[name] as FunctionDefinition<unknown, unknown>;
  const [given] = node.parameters;
  if (given?.type === undefined || node.type === undefined) throw new Error(`${name} has no types`);
  const passed = checker.getTypeFromTypeNode(given.type);
  const shapes = Object.entries<z.ZodType>(args).map(([key, schema]) => [key, { schema }] as const);
  const inputs = {
    types,
    integers: integersOf(Object.fromEntries(shapes)),
    path: "",
    hint: capital(name),
    output: false,
  };
  const fields = kind === undefined ? {} : definitions[kind].fields;
  const hint = capital(name.replace(/^get/, ""));
  const outputs = { types, integers: integersOf(fields), path: "", hint, output: true };
  const answered =
    list !== undefined && ts.isArrayTypeNode(node.type)
      ? {
          properties: { [list]: { type: "array", items: typeSpec(node.type.elementType, outputs) } },
          required: [list],
        }
      : membersSpec(checker.getTypeFromTypeNode(node.type), outputs);
  for (const secret of secretsOf(name)) Object.assign(answered.properties[secret] ?? {}, { secret: true });
  return {
    description: plain(docOf(named(name))),
    inputs: { type: "object", ...membersSpec(passed, inputs, aboutOf) },
    outputs: { type: "object", ...answered },
  };
}

function inputsSpec(kind: KindName, types: Record<string, Spec>): Spec {
  const args = propertiesOf(declaredType(named(`${kind}Args`)));
  return {
    description: plain(docOf(named(kind))),
    inputProperties: propertySpecs(kind, args, types, false),
    requiredInputs: args.filter(({ optional }) => !optional).map(({ name }) => name),
    // Of the whole account: nothing narrows it down.
    ...(!("single" in definitions[kind]) && { listInputs: { type: "object", properties: {} } }),
    aliases: [{ type: typeOf(kind) }],
  };
}

function outputsSpec(kind: KindName, types: Record<string, Spec>): Spec {
  const { derived = [] } = definitions[kind].outputs.shape;
  const computed = propertiesOf(declaredType(named(kind))).filter(({ name }) => derived.includes(name));
  const outputs = [...propertiesOf(declaredType(named(`${kind}State`))), ...computed];
  return {
    properties: propertySpecs(kind, outputs, types, true),
    required: outputs
      .filter(({ node, optional }) => !optional && !mayBeNothing(node))
      .map(({ name }) => name),
  };
}

function propertySpecs(
  kind: KindName,
  properties: readonly Property[],
  types: Record<string, Spec>,
  output: boolean,
): Record<string, Spec> {
  const fields = definitions[kind].fields as Record<string, Field | undefined>;
  const integers = integersOf(fields);
  const secrets: readonly string[] = definitions[kind].outputs.shape.secrets ?? [];
  const specs = properties.map(({ name, node, doc }) => {
    if (node === undefined) throw new Error(`${kind}.${name} has no type`);
    const hint = name === "adopt" ? "Adopt" : `${kind}${capital(name)}`;
    const replaces = !output && fields[name]?.change === "replace";
    return [
      name,
      {
        ...typeSpec(node, { types, integers, path: name, hint, output }),
        description: plain(doc),
        ...(secrets.includes(name) && { secret: true }),
        ...(replaces && { willReplaceOnChanges: true }),
      },
    ] as const;
  });
  return Object.fromEntries(specs);
}

interface Place {
  readonly types: Record<string, Spec>;
  readonly integers: Integers;
  readonly path: string;
  /** The name of the type where the interface has none, and what it is. */
  readonly hint: string;
  readonly doc?: string;
  readonly output: boolean;
}

/** `type` is what the node means where it stands: it says what the parameters of a generic interface are. */
function typeSpec(node: ts.TypeNode, place: Place, type = checker.getTypeFromTypeNode(node)): Spec {
  if (node.getText() === openText) return { type: "string" };
  if (ts.isParenthesizedTypeNode(node)) return typeSpec(node.type, place, type);
  if (ts.isArrayTypeNode(node)) {
    const element = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    const items = typeSpec(node.elementType, { ...place, path: `${place.path}[]` }, element);
    return { type: "array", items };
  }
  if (ts.isLiteralTypeNode(node)) return { type: ts.isStringLiteral(node.literal) ? "string" : "boolean" };
  if (ts.isTypeLiteralNode(node) && node.members.some(ts.isIndexSignatureDeclaration))
    return { type: "object", additionalProperties: { $ref: "pulumi.json#/Any" } };
  if (ts.isTypeLiteralNode(node) || ts.isIntersectionTypeNode(node))
    return objectSpec(type, place.hint, place);
  if (ts.isConditionalTypeNode(node)) return merged(objectsIn(node), place);
  if (ts.isUnionTypeNode(node)) return unionSpec(node, place);
  if (ts.isTypeReferenceNode(node)) return referenceSpec(node, place, type);
  if (ts.isIndexedAccessTypeNode(node)) return memberSpec(node, place);
  switch (node.kind) {
    case ts.SyntaxKind.StringKeyword:
      return { type: "string" };
    case ts.SyntaxKind.BooleanKeyword:
      return { type: "boolean" };
    case ts.SyntaxKind.NumberKeyword:
      return { type: isWhole(place) ? "integer" : "number" };
    default:
      return { $ref: "pulumi.json#/Any" };
  }
}

function referenceSpec(node: ts.TypeReferenceNode, place: Place, type: ts.Type): Spec {
  const name = node.typeName.getText();
  const [first, second] = node.typeArguments ?? [];
  if (["pulumi.Input", "pulumi.Output", "Partial"].includes(name) && first) return typeSpec(first, place);
  if (name === "Record" && second) {
    return { type: "object", additionalProperties: typeSpec(second, { ...place, path: `${place.path}{}` }) };
  }
  if (name === "JsonInput" || name === "Expectation") return { $ref: "pulumi.json#/Any" };
  const symbol = checker.getSymbolAtLocation(node.typeName);
  const original = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const alias = original?.declarations?.find(ts.isTypeAliasDeclaration);
  if (alias !== undefined && original !== undefined) {
    const isExported = alias.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    const hint = isExported ? name : place.hint;
    return typeSpec(alias.type, { ...place, hint, doc: plain(docOf(original)) }, type);
  }
  const isParameter = original !== undefined && (original.flags & ts.SymbolFlags.TypeParameter) !== 0;
  return objectSpec(type, isParameter ? (type.symbol?.name ?? place.hint) : name, place);
}

/** The property of another interface: `PodState["ssh"]`. */
function memberSpec(node: ts.IndexedAccessTypeNode, place: Place): Spec {
  const owner = node.objectType.getText();
  const [name] = node.indexType.getText().match(/\w+/) ?? [];
  const found = propertiesOf(checker.getTypeFromTypeNode(node.objectType)).find((one) => one.name === name);
  if (found?.node === undefined) throw new Error(`${node.getText()} has no type`);
  const hint = `${owner.replace(/(Args|State)$/, "")}${capital(found.name)}`;
  return typeSpec(found.node, { ...place, path: found.name, hint });
}

/** The words that an argument takes, as a type with a name for each. A plain text does too, and podlumi checks it. */
function wordsSpec(words: readonly string[], place: Place): Spec {
  const { doc } = place;
  const spec = { ...(doc && { description: doc }), type: "string", enum: words.map(wordSpec) };
  return { type: "string", oneOf: [{ type: "string" }, keep(place, place.hint, spec)] };
}

/** Generators for other languages make the name of a constant from this name: `LoadBalancer` of `LOAD_BALANCER`. */
function wordSpec(value: string): Spec {
  return { name: value.toLowerCase().replace(/(?:^|_)(\w)/g, (_, first) => capital(first)), value };
}

function unionSpec(node: ts.UnionTypeNode, place: Place): Spec {
  const members = node.types.filter((one) => !isNothing(one) && !isResource(one));
  const words = members.flatMap(wordsIn);
  if (words.length === members.length && words.length > 1)
    return place.output ? { type: "string" } : wordsSpec(words, place);
  const objects = members.flatMap(objectsIn);
  // Pulumi's SDK for Python translates the names in a dictionary of one type, and not of a choice of types.
  if (!place.output && members.length > 1 && objects.length === members.length) return merged(objects, place);
  const specs = members.map((one) => typeSpec(one, place));
  const [spec] = specs;
  const distinct = new Set(specs.map((one) => JSON.stringify(one)));
  if (spec !== undefined && distinct.size === 1) return spec;
  return place.output ? merged(objects, place) : { oneOf: specs };
}

/** The text of a literal, also inside of `pulumi.Input`. */
function wordsIn(node: ts.TypeNode | undefined): string[] {
  if (node !== undefined && ts.isTypeReferenceNode(node)) return wordsIn(node.typeArguments?.[0]);
  return node !== undefined && ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal)
    ? [node.literal.text]
    : [];
}

/** One object with the properties of several: a program gives, or looks at, those that there are. */
function merged(nodes: readonly ts.TypeNode[], place: Place): Spec {
  const types = nodes.map((node) => checker.getTypeFromTypeNode(node));
  const all = types.map(propertiesOf);
  const properties = new Map<string, Spec>();
  for (const property of all.flat()) {
    const { name, doc } = property;
    const same = all.flat().filter((one) => one.name === name);
    if (property !== same[0]) continue;
    const words = same.flatMap(({ node }) => wordsIn(node));
    const choice = { ...place, hint: `${place.hint}${capital(name)}` };
    const [, spec] = propertySpec(property, place);
    const texts = new Set(same.flatMap(({ doc }) => plain(doc).split("\n")));
    properties.set(
      name,
      words.length > 1
        ? { ...wordsSpec(words, choice), description: plain(doc) }
        : { ...spec, description: [...texts].join("\n") },
    );
  }
  const isRequired = (name: string) =>
    all.every((those) => those.some((one) => one.name === name && !one.optional));
  return keep(place, place.hint, {
    ...(!place.output && { description: types.map(({ symbol }) => plain(docOf(symbol))).join("\n") }),
    type: "object",
    properties: Object.fromEntries(properties),
    ...(!place.output && { required: [...properties.keys()].filter(isRequired) }),
  });
}

/** The interfaces that a type names. */
function objectsIn(node: ts.TypeNode): ts.TypeNode[] {
  if (ts.isConditionalTypeNode(node)) return [...objectsIn(node.trueType), ...objectsIn(node.falseType)];
  if (ts.isUnionTypeNode(node)) return node.types.flatMap(objectsIn);
  return ts.isTypeReferenceNode(node) || ts.isTypeLiteralNode(node) ? [node] : [];
}

function objectSpec(type: ts.Type, name: string, place: Place): Spec {
  return keep(place, name, {
    ...(type.symbol && type.symbol.name !== "__type" && { description: plain(docOf(type.symbol)) }),
    type: "object",
    ...membersSpec(type, { ...place, hint: name }),
  });
}

/** `about` tells of properties that have no text of their own. */
function membersSpec(type: ts.Type, place: Place, about = (_property: Property) => "") {
  const properties = propertiesOf(type);
  // The compiler keeps no order in what `Omit` leaves.
  if (place.output && type.isIntersection()) properties.sort((a, b) => (whereOf(a) < whereOf(b) ? -1 : 1));
  return {
    properties: Object.fromEntries(
      properties.map((one) => propertySpec(one.doc === "" ? { ...one, doc: about(one) } : one, place)),
    ),
    required: properties
      .filter(({ optional, node }) => !optional && !mayBeNothing(node))
      .map((one) => one.name),
  };
}

/** The text of the interface, or of the named union, that declares a property. */
function aboutOf({ node }: Property): string {
  let around: ts.Node | undefined = node?.parent.parent;
  while (around && (ts.isTypeLiteralNode(around) || ts.isUnionTypeNode(around))) around = around.parent;
  const isNamed = around && (ts.isInterfaceDeclaration(around) || ts.isTypeAliasDeclaration(around));
  const symbol = isNamed && checker.getSymbolAtLocation((around as ts.InterfaceDeclaration).name);
  return symbol ? docOf(symbol) : "";
}

/** A text by which properties sort in the order of their files and lines. */
function whereOf({ node }: Property): string {
  const file = node?.getSourceFile().fileName ?? "";
  return `${file} ${String(node?.pos ?? 0).padStart(9, "0")}`;
}

function propertySpec({ name, node, type, doc }: Property, place: Place) {
  if (node === undefined) throw new Error(`${place.hint}.${name} has no type`);
  const path = place.path === "" ? name : `${place.path}.${name}`;
  const hint = `${place.hint.replace(/^(Found|Listed)|(Args|State)$/g, "")}${capital(name)}`;
  const spec = typeSpec(node, { ...place, path, hint }, checker.getNonNullableType(type));
  return [name, { ...spec, ...(doc !== "" && { description: plain(doc) }) }] as const;
}

/** Names a type, and refers to it. An argument and an output of one name have types of their own. */
function keep({ types, output }: Place, name: string, spec: Spec): Spec {
  const token = `podlumi:index:${name.replace(/Args$/, "")}`;
  const known = types[token];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(spec)) {
    const other = `${token}${output ? "Output" : "Input"}`;
    types[other] ??= spec;
    return { $ref: `#/types/${other}` };
  }
  types[token] = spec;
  return { $ref: `#/types/${token}` };
}

function integersOf(fields: Record<string, Pick<Field, "schema"> | undefined>): Integers {
  const found = new Set<string>();
  const walk = (path: string, schema: Spec) => {
    if (schema.type === "integer") found.add(path);
    for (const [name, inner] of Object.entries((schema.properties ?? {}) as Record<string, Spec>))
      walk(`${path}.${name}`, inner);
    if (schema.items) walk(`${path}[]`, schema.items as Spec);
    for (const one of (schema.anyOf ?? schema.oneOf ?? []) as Spec[]) walk(path, one);
  };
  for (const [name, field] of Object.entries(fields)) {
    if (field !== undefined)
      walk(name, z.toJSONSchema(field.schema, { unrepresentable: "any", io: "input" }) as Spec);
  }
  return found;
}

/** Outputs that are whole numbers. The tables of the fields tell it of arguments. */
const counts =
  /(^|\.)(placement|port|private|public|rank|total|byStatus\{\}|verifiedRelease|vxlan(Id|Port))$/;

function isWhole({ integers, path, output }: Place): boolean {
  return integers.has(path) || (output && counts.test(path));
}

function isNothing(node: ts.TypeNode): boolean {
  return (
    node.kind === ts.SyntaxKind.UndefinedKeyword ||
    (ts.isLiteralTypeNode(node) && node.literal.kind === ts.SyntaxKind.NullKeyword)
  );
}

function mayBeNothing(node: ts.TypeNode | undefined): boolean {
  return node !== undefined && ts.isUnionTypeNode(node) && node.types.some(isNothing);
}

function plain(doc: string): string {
  return (
    doc
      .replace(/\{@link\s+([\w.]+)\s*\}/g, "`$1`")
      // The plugin answers them as secrets.
      .replace(/\s*`\w+` holds plain values here, which may be secret\./g, "")
      .trim()
  );
}

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
