/**
 * The dynamic provider, as the Pulumi engine calls it. Every resource's state holds a text that the engine evaluates,
 * such as `require("podlumi/provider").Pod`. So the name of this module and those of the kinds never change.
 *
 * @packageDocumentation
 */
import type { ResourceProvider } from "@pulumi/pulumi/dynamic";
import { Run } from "./core/call/run";
import { handler } from "./core/handler";
import type { Kind } from "./core/kind";
import { isEnginesProcess } from "./engine/client";
import { endWithEngine } from "./engine/end";
import { showErrorsOnce } from "./engine/host";
import { spareMemory } from "./engine/memory";
import { definitions } from "./resources";
import { printed } from "./schema/failure";
import { mapped } from "./value";

spareMemory();

const run = new Run();

function verbsOf(definition: Kind): ResourceProvider {
  const { kind, import: imports, ...verbs } = handler(definition, run);
  const check: typeof verbs.check = async (olds, news) => {
    const { inputs, failures = [] } = await verbs.check(olds, news);
    return { inputs, failures: failures.map(printed) };
  };
  return { ...verbs, check };
}

if (isEnginesProcess) {
  endWithEngine();
  showErrorsOnce();
}

export = mapped(definitions as Record<string, Kind>, verbsOf);
