import { kindOfType } from "../../provider/identity";
import { knownOf } from "../../provider/value";
import type { Basis, CostKind, Prices } from "./basis";
import { basisOf, isCostKind, leftAlone, unreadableReason } from "./basis";
import type { CostEstimate } from "./estimate";
import { estimate, noEstimate } from "./estimate";

/** A resource in a file of Pulumi that costs money. */
export interface Priced {
  readonly name: string;
  readonly kind: CostKind;
  readonly basis: Basis;
  /** The object was replaced and is still to be deleted. */
  readonly toBeDeleted?: true;
}

/** A resource in a state, as `pulumi stack export` and `pulumi preview --json` write it. */
interface StateResource {
  urn: string;
  id?: string;
  type: string;
  external?: boolean;
  /** It was replaced and is about to be deleted. Its deletion may have failed. */
  delete?: true;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
}

/** A step of a preview. A replacement has several steps. */
interface Step {
  op: string;
  oldState?: StateResource;
  newState?: StateResource;
}

/** The output of `pulumi stack export` or `pulumi preview --json`. */
export interface PulumiFile {
  deployment?: { resources?: StateResource[] };
  steps?: Step[] | null;
  /** Number of resources for each operation. Unchanged resources may be missing in `steps`. */
  changeSummary?: { same?: number } | null;
  /** Messages of a preview. One that failed has an error among them, and not all steps. */
  diagnostics?: { severity: string }[] | null;
}

/** The resources of a stack, or those after and before the changes of a preview. */
export function resourcesOf({ deployment, steps }: PulumiFile): { now: Priced[]; before?: Priced[] } {
  if (!Array.isArray(steps)) return { now: pricedIn(deployment?.resources ?? []) };
  return {
    // The object that a replacement creates has no id yet.
    now: pricedIn(afterAll(steps).map((state) => ({ ...state, id: undefined }))),
    // Objects that are about to be replaced are marked as deleted, but they exist before the changes.
    before: pricedIn(steps.flatMap(({ oldState }) => (oldState ? { ...oldState, delete: undefined } : []))),
  };
}

/** The resources after all steps. With `--refresh`, a step shows each of them before a later one deletes or renames it. */
function afterAll(steps: readonly Step[]): StateResource[] {
  const left = new Map<string, StateResource>();
  for (const step of steps) {
    if (step.oldState !== undefined && !step.oldState.delete) left.delete(step.oldState.urn);
    for (const state of after(step)) left.set(state.urn, state);
  }
  return [...left.values()];
}

/** The resource after a step. A preview has only new inputs. An object that stays keeps what the program leaves alone. */
function after({ op, oldState, newState }: Step): StateResource[] {
  if (newState === undefined || newState.delete) return [];
  const stays = op === "same" || op === "update";
  // The preview of a replacement by the plugin has unknown outputs only; its inputs say what the program declares.
  if (!stays || oldState === undefined) return [{ ...newState, outputs: knownOf(newState.outputs) }];
  return [{ ...newState, outputs: leftAlone(oldState.outputs, oldState.inputs, newState.inputs) }];
}

/** How many unchanged resources a preview leaves out. */
export function leftOut({ steps, changeSummary }: PulumiFile): number {
  return (changeSummary?.same ?? 0) - (steps ?? []).filter(({ op }) => op === "same").length;
}

/** The global volumes. The service bills what they store and the requests to them, and no file tells either. */
export function notCounted({ deployment, steps }: PulumiFile): string[] {
  const states = Array.isArray(steps) ? afterAll(steps) : (deployment?.resources ?? []);
  const own = states.filter(({ type, external }) => !external && kindOfType(type) === "GlobalVolume");
  return [...new Set(own.map(nameOf))].sort();
}

function nameOf({ urn }: StateResource): string {
  return urn.split("::").at(-1) ?? urn;
}

/** Each object once. Objects that the program only reads are not the stack's costs. */
function pricedIn(states: StateResource[]): Priced[] {
  const own = states.filter((state) => !state.external);
  const objects = new Map(own.map((state) => [`${state.urn} ${state.id}`, state]));
  return [...objects.values()].flatMap((state) => {
    const { type, delete: toBeDeleted, inputs, outputs } = state;
    const kind = kindOfType(type);
    if (!isCostKind(kind)) return [];
    return [
      {
        name: nameOf(state),
        kind,
        basis: basisOf(kind, inputs ?? {}, outputs),
        ...(toBeDeleted && { toBeDeleted }),
      },
    ];
  });
}

export function estimateOf({ kind, basis }: Priced, prices: Prices): CostEstimate {
  for (const [path, value] of Object.entries(basis)) {
    const reason = unreadableReason(value);
    if (reason !== undefined) return noEstimate(`${path.split(".")[0]} ${reason}`);
  }
  return estimate(kind, basis, prices);
}
