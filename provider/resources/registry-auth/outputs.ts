import type { Shape } from "../../schema/shape";
import type { RegistryAuthArgs, RegistryAuthState } from "./types";

/** The outputs and the other arguments of the class, and which of them are secret. */
export const registryAuthShape: Shape<RegistryAuthState, RegistryAuthArgs> = {
  outputs: { name: undefined, username: undefined, password: undefined },
  otherInputs: { deleteTimeout: undefined },
  secrets: ["username", "password"],
};
