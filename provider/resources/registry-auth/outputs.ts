import type { Shape } from "../../schema/shape";
import type { RegistryAuthArgs, RegistryAuthState } from "./types";

export const registryAuthShape: Shape<RegistryAuthState, RegistryAuthArgs> = {
  outputs: { name: undefined, username: undefined, password: undefined },
  otherInputs: { deleteTimeout: undefined },
  secrets: ["username", "password"],
};
