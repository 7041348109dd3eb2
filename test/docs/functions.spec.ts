import type ts from "typescript";
import * as z from "zod";
import { functions } from "../../provider/functions";
import { signatures } from "./schema";
import { checker, propertiesOf } from "./source";

/** The words that a type names, or those of its items. */
function wordsOf(type: ts.Type): string[] {
  const [item = type] = checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference) : [];
  const all = item.isUnion() ? item.types : [item];
  // Any other text is taken beside the known ids of the catalog.
  if (all.some((one) => one.isIntersection())) return [];
  return all.filter((one) => one.isStringLiteral()).map(({ value }) => value);
}

test.each(signatures())("the plugin takes each word that the types of $name have", ({ name, node }) => {
  const [given] = node.parameters;
  const passed = checker.getTypeFromTypeNode(given?.type as ts.TypeNode);
  const args = functions[name].args as Record<string, z.ZodType>;
  for (const property of propertiesOf(passed)) {
    const { enum: words, items } = z.toJSONSchema(
      args[property.name] as z.ZodType,
    ) as z.core.JSONSchema.BaseSchema;
    const taken = words ?? (items as z.core.JSONSchema.BaseSchema | undefined)?.enum ?? [];
    const wanted = wordsOf(checker.getNonNullableType(property.type));
    expect({ [property.name]: [...taken].sort() }).toEqual({ [property.name]: wanted.sort() });
  }
});
