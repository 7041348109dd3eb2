import * as pulumi from "@pulumi/pulumi";
import type { ArgsOf, FunctionName, ResultOf, SecretOf } from "../../provider/functions/signatures";
import { secretsOf } from "../../provider/functions/signatures";
import { configurationOf } from "../provider-settings";
import { expectedText, masked, serviceOf } from "../service";
import type { Service } from "../toolkit";
import type { FunctionOptions, Inputs, OutputFunction, OutputOf, PlainFunction } from "./types";

/** Makes a function for programs. Its errors begin with its name. */
export function plain<Args, Result>(
  name: string,
  ask: (service: Service, args: Args) => Promise<Result>,
): PlainFunction<Args, Result> {
  return (args?: Args, opts: FunctionOptions = {}) =>
    attempted(name, async () => ask(await serviceOf(opts), args as Args));
}

/** A function that only reads. Its rules stand in the provider, for both faces. */
export function reading<Name extends FunctionName>(name: Name): PlainFunction<ArgsOf<Name>, ResultOf<Name>> {
  return plain<ArgsOf<Name>, ResultOf<Name>>(name, async ({ api, functions, wrongArguments }, given) => {
    const args = given ?? ({} as ArgsOf<Name>);
    const wrong = wrongArguments(functions[name], args as object);
    if (wrong.length > 0) throw new pulumi.RunError(wrong.join("\n"));
    return functions[name].ask(api, args);
  });
}

/** Like {@link reading}, for outputs. */
export function readingOutput<Name extends FunctionName>(
  name: Name,
): OutputFunction<ArgsOf<Name>, ResultOf<Name>, SecretOf<Name>> {
  return ofOutputs(reading(name), ...secretsOf(name));
}

/** Runs `act` for a function. The error of an expected failure begins with the name of the function, and keeps its code. */
export async function attempted<T>(name: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const told = expectedText(error);
    throw told === undefined ? error : failure(`${name}: ${told}`, error);
  }
}

/** A function for outputs. It runs as soon as all arguments are known. Its result is unknown until then. */
export function ofOutputs<Args, Result, Secret extends keyof Result = never>(
  ask: PlainFunction<Args, Result>,
  ...secrets: Secret[]
): OutputFunction<Args, Result, Secret> {
  return (given: pulumi.Input<Inputs<Args>> = {} as Inputs<Args>, opts: FunctionOptions = {}) => {
    const args = pulumi.output(given) as pulumi.Output<unknown>;
    // The secret key must not make the result secret: it goes no further than the client.
    const known = opts.provider && pulumi.unsecret(configurationOf(opts.provider));
    const result = pulumi.all([args, pulumi.isSecret(args), known]).apply(([args, secret]) =>
      ask(args as Args, opts).catch((error) => {
        throw secret ? withoutValues(error, args) : error;
      }),
    ) as pulumi.Output<Result>;
    if (secrets.length === 0) return result as OutputOf<Result, Secret>;
    const open = result.apply((all) => without(all, secrets));
    for (const name of secrets) {
      const value = pulumi.secret(result.apply((all) => all[name] as unknown));
      Object.defineProperty(open, name, { value, enumerable: true });
    }
    return open as unknown as OutputOf<Result, Secret>;
  };
}

function without<Result, Name extends keyof Result>(result: Result, names: readonly Name[]) {
  return Object.fromEntries(
    Object.entries(result as object).filter(([name]) => !names.includes(name as Name)),
  );
}

/** Pulumi prints only the message of a RunError. A stack trace through `apply` can stall Pulumi, so there is none. */
function failure(message: string, cause: unknown): Error {
  const { code } = cause as { readonly code?: string };
  return Object.assign(new pulumi.RunError(message), { stack: message, code });
}

/** The error of a call with secret arguments, without their values. */
function withoutValues(error: Error, args: unknown): Error {
  return failure(masked(error.message, args), error);
}
