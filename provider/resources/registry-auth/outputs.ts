import type { Shape } from "../../core/shape";
import type { RegistryAuthState } from "./types";

/** What the class of this kind tells about its outputs. */
export const registryAuthShape: Shape<RegistryAuthState> = {
  outputs: { name: undefined, username: undefined, password: undefined },
  secrets: ["username", "password"],
};
