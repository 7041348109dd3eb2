import type { Shape } from "../../schema/shape";
import type { SshKeysArgs, SshKeysState } from "./types";

export const sshKeysShape: Shape<SshKeysState, SshKeysArgs> = {
  outputs: { keys: undefined },
  otherInputs: {},
};
