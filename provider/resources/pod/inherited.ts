import { ConfigurationError, NoAnswerError } from "../../client/errors";
import type { Context, Inherited } from "../../core/field";
import { isRecord, type Properties } from "../../core/value";

/** A value that nobody knows. It differs from every other. */
const nobodyKnows = Symbol("nobody knows");

/**
 * A flag that no answer tells. Until the program declares it, it is as in the pod's template. When nobody can tell that, a
 * declaration differs.
 */
export const flagOfTemplate =
  (name: "startSsh" | "startJupyter"): Inherited =>
  (observed, _input, context) =>
    observed ?? settingOfTemplate(name, context);

/** The same for the CUDA constraint. Either one of the program replaces that of the template. */
export const cudaOfTemplate: Inherited = async (observed, input, context) => {
  const { allowedCudaVersions: asked } = input as Properties;
  if (asked === undefined || !isRecord(observed)) return observed;
  if (observed.allowedCudaVersions !== undefined || observed.minCudaVersion !== undefined) return observed;
  return { ...observed, allowedCudaVersions: await settingOfTemplate("allowedCudaVersions", context) };
};

/** Undefined for a pod without a template. */
async function settingOfTemplate(name: string, { state, api }: Context): Promise<unknown> {
  if (state.templateId === undefined) return undefined;
  try {
    const template = await api().templates.find(String(state.templateId));
    return template === undefined ? nobodyKnows : template[name];
  } catch (error) {
    if (error instanceof ConfigurationError || error instanceof NoAnswerError) return nobodyKnows;
    throw error;
  }
}
