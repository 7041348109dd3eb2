import { plain, type Shape } from "../../schema/shape";
import type { RegistryAuthArgs, RegistryAuthState } from "./types";

export const registryAuthShape: Shape<RegistryAuthState, RegistryAuthArgs> = {
  outputs: plain("name", "username", "password"),
  otherInputs: { deleteTimeout: undefined },
  secrets: ["username", "password"],
};
