import type { Shape } from "../../core/kind/shape";
import type { RegistryAuthState } from "./types";

/** The outputs of the class, and which of them are secret. */
export const registryAuthShape: Shape<RegistryAuthState> = {
  outputs: { name: undefined, username: undefined, password: undefined },
  secrets: ["username", "password"],
};
