import { log } from "../../engine/log";
import type { Kind, ServiceObject } from "../kind/definition";
import type { Edit, Existing } from "../resource";
import { describe } from "../telling";
import { openCreateIn } from "./open-create";
import { leavesNote, type Twins, twinsAmong } from "./twins";
import { whyLeftOut } from "./why-twins-stay";

/** Tells of the twins of the object. Returns whether this run deletes some. */
export async function tellOfTwins(edit: Edit): Promise<boolean> {
  const { kind, run, inputs } = edit;
  const { twins, late } = await openTwins(edit);
  for (const copy of late) log(inputs.__urn, lateNote(kind, copy));
  if (twins.length === 0) return false;
  const whyLeft = await whyLeftOut(kind, run, twins);
  for (const twin of twins)
    log(inputs.__urn, whyLeft ? leavesNote(kind, [twin], whyLeft) : twinNote(kind, twin));
  return whyLeft === undefined;
}

/** The twins of this object that an earlier run left. */
async function openTwins({ kind, run, id, state }: Existing): Promise<Twins> {
  const none = { twins: [], late: [] };
  if (state.__unanswered === undefined) return none;
  return run.look(
    kind,
    async () => {
      const unanswered = openCreateIn(state, run.api().now());
      if (unanswered === undefined) return none;
      const { twins, late } = twinsAmong((await run.lists.snapshot(kind)) ?? [], kind, id, unanswered);
      return {
        twins: await run.owners.unusedAmong(kind, twins),
        late: await run.owners.unusedAmong(kind, late),
      };
    },
    none,
  );
}

const twinNote = (kind: Kind, twin: ServiceObject) =>
  `\`pulumi up\` deletes the ${describe(kind, twin)} at its end, unless the program adopts or reads it: a request without an answer created ` +
  "it in addition to the one in the state";

const lateNote = (kind: Kind, copy: ServiceObject) =>
  `leaves the ${describe(kind, copy)}: a request without an answer may have created it, but so late that it may be a copy that somebody made`;
