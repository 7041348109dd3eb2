import { ownerDigits } from "../../../provider/core/mark/carried";
import { secretMark } from "../../../provider/core/state/secret-value";
import { stateOf } from "../../../provider/core/state/state";
import { providerOf, typeOf } from "../../../provider/identity";
import { completed } from "../../../provider/schema/check";
import type { Field } from "../../../provider/schema/field";
import type { Properties } from "../../../provider/value";
import { definitionOf } from "../kinds";
import { evaluated, marked } from "../program/program";
import type { Declared } from "./account-program";

/**
 * The file for `pulumi import --file`. It has the state that the stack would have if it had created all objects itself. It
 * has both inputs and outputs, because the engine asks a dynamic provider for neither.
 */
export function importFile(declared: readonly Declared[], stack: string, project: string): object {
  const resources = declared
    .filter(({ declaration }) => declaration.readId === undefined)
    .map(({ found: { kind, id, name, observed, mark }, declaration: { logicalName, args } }) => {
      const fields = definitionOf(kind).fields as Record<string, Field>;
      const given = { ...("name" in fields && { name }), ...(evaluated(args) as Properties) };
      const inputs = completed(fields, given);
      const common = {
        __provider: providerOf(kind),
        __urn: `urn:pulumi:${stack}::${project}::${typeOf(kind)}::${logicalName}`,
      };
      return {
        type: typeOf(kind),
        name: logicalName,
        id,
        inputs: { ...(marked(inputs, args, secret) as Properties), ...common },
        outputs: {
          ...(marked(stateOf(fields, observed, inputs), args, secret) as Properties),
          ...common,
          ...(mark && { __mark: ownerDigits(mark) }),
        },
      };
    });
  return { resources };
}

/** A secret in plain text. The engine encrypts it when it imports. */
function secret(value: unknown): object {
  return { ...secretMark, plaintext: JSON.stringify(value) };
}
