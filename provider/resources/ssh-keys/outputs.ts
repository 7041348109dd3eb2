import type { Shape } from "../../core/kind/shape";
import type { SshKeysState } from "./types";

/** The outputs of the class. */
export const sshKeysShape: Shape<SshKeysState> = { outputs: { keys: undefined } };
