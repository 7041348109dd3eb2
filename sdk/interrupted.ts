import * as pulumi from "@pulumi/pulumi";
import { stackPrefix } from "./urn";

/**
 * Whether this process is one program, started by Pulumi. The Automation API runs programs within the process of its
 * user, whose end tells nothing of them.
 */
const isProgram = /[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]run/.test(process.argv[1] ?? "");

/** The resources of this program, with their ids once the engine has those in the state. */
const declared = new Map<string, string | undefined>();
let watching = false;

/**
 * The program's part in not losing what interrupted runs made. It alone learns that the engine has written an id into
 * the state, and what is declared at all: an object that was made for a resource that has since been removed from the
 * program is known to nobody else. Not in previews and unit tests.
 */
export function watch(urn: string | Promise<string>, id: pulumi.Output<string>): void {
  if (pulumi.runtime.isDryRun() || pulumi.runtime.getStackResource() === undefined) return;
  if (isProgram && !watching) process.once("beforeExit", tidy);
  watching = true;
  void Promise.resolve(urn).then((known) => declared.set(known, undefined));
  id.apply(async (made) => {
    const known = await urn;
    declared.set(known, made);
    journal().acknowledge(known, made);
  });
}

/** Loaded when something is really made: a program that is only looked at loads nothing of the provider. */
const journal = () => require("../provider/core/journal") as typeof import("../provider/core/journal");
const provider = () => require("../provider") as typeof import("../provider");

/** When the program has ended well, and before the engine is told so: what is open by then is nobody's. */
async function tidy(exitCode: number): Promise<void> {
  const stack = stackPrefix();
  if (exitCode !== 0 || !journal().isOpen(stack)) return;
  await provider().tidy(pulumi.runtime.getConfig, stack, declared, (text) => void pulumi.log.info(text));
}
