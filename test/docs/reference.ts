import type ts from "typescript";
import { definitions } from "../../provider/resources";
import { entry } from "./entry";
import { generated, page } from "./markdown";
import { exportsOf, fileOf } from "./source";

/** The page of everything except resources: functions, jobs, policy, conversion from REST v1. */
export function referencePage(): string {
  const ofResources = new RegExp(`^(${Object.keys(definitions).join("|")})(Args|State)?$`);
  const rest = exportsOf("sdk/index.ts").filter(
    (symbol) =>
      !ofResources.test(symbol.name) &&
      /^(sdk\/(provider|cost|functions)|provider\/(cost|functions))|\/(logs|operations)\.ts$/.test(
        fileOf(symbol),
      ),
  );
  return page(
    generated,
    "# Reference",
    "Everything that a program imports besides the [resources](../README.md#resources), in six parts: " +
      "[podlumi](#podlumi), [podlumi/jobs](#podlumijobs), [podlumi/policy](#podlumipolicy), [podlumi/v1](#podlumiv1), [podlumi/emulator](#podlumiemulator), [podlumi/testing](#podlumitesting).",
    "## podlumi",
    "Functions take plain values and return a promise; `…Output` also takes outputs and returns an output. They " +
      "run in previews too, and then need a key.",
    ...rest.filter(isNoPair).flatMap((symbol) => entry(symbol, "resources/", rest)),
    "## podlumi/jobs",
    ...exportsOf("sdk/jobs/index.ts").flatMap((symbol) => entry(symbol, "resources/")),
    "## podlumi/policy",
    ...exportsOf("sdk/policy/index.ts").flatMap((symbol) => entry(symbol, "resources/")),
    "## podlumi/v1",
    ...exportsOf("sdk/v1/index.ts").flatMap((symbol) => entry(symbol, "resources/")),
    "## podlumi/emulator",
    ...exportsOf("sdk/emulator/index.ts").flatMap((symbol) => entry(symbol, "resources/")),
    "## podlumi/testing",
    ...exportsOf("sdk/testing/index.ts").flatMap((symbol) => entry(symbol, "resources/")),
  );
}

/** Leaves out `getPodOutput`, which is documented with `getPod`. */
const isNoPair = (symbol: ts.Symbol, _index: number, all: ts.Symbol[]) =>
  !all.some(({ name }) => `${name}Output` === symbol.name);
