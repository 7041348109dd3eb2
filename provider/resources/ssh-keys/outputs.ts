import type { Shape } from "../../core/shape";
import type { SshKeysState } from "./types";

/** What the class of this kind tells about its outputs. */
export const sshKeysShape: Shape<SshKeysState> = { outputs: { keys: undefined } };
