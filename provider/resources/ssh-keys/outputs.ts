import type { Shape } from "../../schema/shape";
import type { SshKeysArgs, SshKeysState } from "./types";

/** The outputs and the other arguments of the class. */
export const sshKeysShape: Shape<SshKeysState, SshKeysArgs> = {
  outputs: { keys: undefined },
  otherInputs: {},
};
