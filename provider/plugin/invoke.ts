import { ExpectedError } from "../client/errors";
import { withCode } from "../codes";
import type { Run } from "../core/call/run";
import { traceOf } from "../core/errors";
import { holdsSecret, unwrapped, withSecrets } from "../core/state/secret-value";
import { nearestProperty } from "../did-you-mean";
import { functions } from "../functions";
import { asProperties, type FunctionDefinition, wrongArguments } from "../functions/definition";
import { type FunctionName, secretsOf } from "../functions/signatures";
import { kindOfType } from "../identity";
import { masked } from "../mask";
import { freeTexts } from "../schema/check";
import { isEmpty, type Properties } from "../value";

/** Calls a function for a program in any language. The engine calls it in previews, too. */
export async function invoke(run: Run, token: string, inputs: Properties): Promise<Properties> {
  const name = functionNamed(token);
  const definition = functions[name] as FunctionDefinition<Properties, unknown>;
  const args = unwrapped(inputs);
  const wrong = wrongArguments(definition, args);
  // As an error, since `pulumi do` does not show the failures of a response.
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
  try {
    const answer = asProperties(await definition.ask(run.api(), args), definition);
    const names = Object.values(inputs).some(holdsSecret) ? Object.keys(answer) : secretsOf(name);
    const secrets = names.filter((key) => !isEmpty(answer[key]));
    return withSecrets(answer, secrets);
  } catch (error) {
    const [text, code] =
      error instanceof ExpectedError ? [error.message, error.code] : [traceOf(error), "PODLUMI-DEFECT"];
    // Pulumi's libraries do not tell which arguments are secret, so no text may repeat any of them.
    throw new Error(withCode(masked(text, freeTexts(definition.args, args), "…"), code));
  }
}

function functionNamed(token: string): FunctionName {
  const name = kindOfType(token) ?? token;
  if (Object.hasOwn(functions, name)) return name as FunctionName;
  const near = nearestProperty(name, Object.keys(functions));
  throw new Error(withCode(`podlumi has no function ${name}${near}`, "PODLUMI-UNKNOWN-FUNCTION"));
}
