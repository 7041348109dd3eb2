import { ExpectedError } from "../../client/errors";
import { explain } from "../errors";
import { isDeclared } from "../kind/declared";
import { ofEmulator } from "../kind/state";
import type { Existing } from "../resource";
import { title } from "../telling";

/**
 * Fails for an object of an account in a run with the emulator, and for an object of the emulator in a run without: the service of the
 * run has no such object, so that it would leave the state as if somebody had deleted it.
 */
export function failIfEmulationDiffers({ kind, run, id, state }: Existing): void {
  if (!isDeclared(state) || (state[ofEmulator] === true) === run.isEmulated) return;
  const [fact, advice] = run.isEmulated ? ofAccount : leftByEmulator;
  const error = new ExpectedError(run.toldOfEmulation ? fact : `${fact}. ${advice}`, "PODLUMI-EMULATED");
  run.toldOfEmulation = true;
  throw explain(error, `leaves ${title(kind, state)} (${id}) alone`, kind.fields, state);
}

const ofAccount = [
  "the state says that it is not the emulator's, but this command runs with the emulator",
  "Use a separate stack for that (`pulumi stack init`), or run the command without the emulator",
] as const;

const leftByEmulator = [
  "the state says that it is the emulator's, but this command runs without the emulator",
  "In a new terminal, set the variables again that `npx podlumi emulator` printed. Use a separate stack for an account (`pulumi stack " +
    "init`); `npx podlumi emulator -- pulumi destroy` empties this one",
] as const;
