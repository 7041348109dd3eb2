import { kindOfType } from "../../provider/identity";
import type { Basis, CostEstimate, CostKind, Prices } from "./estimate";
import { basisOf, estimate, isCostKind, noEstimate } from "./estimate";

/** A resource that costs something, as a file of Pulumi has it. */
export interface Listed {
  readonly name: string;
  readonly kind: CostKind;
  readonly basis: Basis;
}

/** A resource in a state, as `pulumi stack export` and `pulumi preview --json` write it. */
interface StateResource {
  urn: string;
  type: string;
  external?: boolean;
  /** Replaced, and about to be deleted. */
  delete?: boolean;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
}

/** A step of a preview: a replacement is several of them. */
interface Step {
  op: string;
  oldState?: StateResource;
  newState?: StateResource;
}

/** What `pulumi stack export` or `pulumi preview --json` wrote. */
export interface PulumiFile {
  deployment?: { resources?: StateResource[] };
  steps?: Step[];
  /** How many resources there are for each operation. Those that stay as they are need not be among the steps. */
  changeSummary?: { same?: number };
}

/** The resources of a stack; of a preview, those that it leads to and those that there are before. */
export function resourcesOf({ deployment, steps }: PulumiFile): { now: Listed[]; before?: Listed[] } {
  if (steps === undefined) return { now: listed(deployment?.resources ?? []) };
  return {
    now: listed(steps.flatMap(after)),
    // What is about to be replaced is marked as deleted.
    before: listed(steps.flatMap(({ oldState }) => (oldState ? { ...oldState, delete: false } : []))),
  };
}

/** What a step leads to. A preview tells its inputs; what they leave open stays as it is, unless it is made anew. */
function after({ op, oldState, newState }: Step): StateResource[] {
  if (newState === undefined) return [];
  const stays = op === "same" || op === "update";
  return [stays ? { ...newState, outputs: oldState?.outputs } : newState];
}

/** How many resources a preview leaves out because they stay as they are. */
export function leftOut({ steps = [], changeSummary }: PulumiFile): number {
  return (changeSummary?.same ?? 0) - steps.filter(({ op }) => op === "same").length;
}

/** Each resource once. Those that are only read belong to somebody else. */
function listed(states: StateResource[]): Listed[] {
  const own = states.filter((state) => !state.external && !state.delete);
  const byUrn = new Map(own.map((state) => [state.urn, state]));
  return [...byUrn.values()].flatMap(({ urn, type, inputs, outputs }) => {
    const kind = kindOfType(type);
    const name = urn.split("::").at(-1) ?? urn;
    return isCostKind(kind) ? [{ name, kind, basis: basisOf(kind, { ...outputs, ...inputs }) }] : [];
  });
}

/** What a resource of a file costs. */
export function estimateOf({ kind, basis }: Listed, prices: Prices): CostEstimate {
  for (const [path, value] of Object.entries(basis)) {
    const reason = unreadableReason(value);
    if (reason !== undefined) return noEstimate(`${path} ${reason}`);
  }
  return estimate(kind, basis, prices);
}

/** How Pulumi writes what it does not know yet, and how it marks a secret. */
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const secret = "4dabf18193072939515e22adb298388d";

/** Why a value cannot be read, at any depth. */
function unreadableReason(value: unknown): string | undefined {
  if (value === unknown) return "is not known before `pulumi up`";
  if (value === "[secret]") return "is a secret";
  if (typeof value !== "object" || value === null) return undefined;
  if (secret in value) return "is a secret";
  for (const inner of Object.values(value)) {
    const reason = unreadableReason(inner);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
