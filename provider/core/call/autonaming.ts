import { at } from "../../path";

/** How the engine wants names that the program does not give. */
export interface Autonaming {
  readonly mode: "default" | "verbatim" | "disabled";
  /** The name that the engine has made up itself. */
  readonly proposed?: string;
}

/** Reads `pulumi:autonaming`, JSON in the stack configuration: the modes that need no engine, of podlumi or of every provider. */
export function autonamingFor(configured = "{}"): Autonaming {
  const all: unknown = JSON.parse(configured);
  const mode = at(all, "providers", "podlumi", "mode") ?? at(all, "mode");
  return { mode: mode === "verbatim" || mode === "disabled" ? mode : "default" };
}
