import type { Shape } from "../../core/shape";
import type { SecretState } from "./types";

/** What the class of this kind tells about its outputs. */
export const secretShape: Shape<SecretState> = {
  outputs: { name: undefined, value: undefined, description: undefined, createdAt: undefined },
  secrets: ["value"],
};
