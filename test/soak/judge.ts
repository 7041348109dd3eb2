import { markDigits } from "../../provider/core/mark/carried";
import { definitions } from "../../provider/resources";
import { isCostKind } from "../../sdk/cost/basis";
import type { Emulator } from "../../sdk/emulator/service";
import { Ledger } from "../chaos/ledger";
import { type Objects, type Seen, seen } from "./account";
import type { Said, Stack } from "./stack";

/** Compares the account before and after commands with the rules. */
export class Judge {
  /** What went against the rules. Each is a sentence. */
  readonly findings: string[] = [];
  /** The ids of the objects that people made. */
  readonly byHand = new Set<string>();
  /** The ids of the objects whose loss somebody has confirmed. */
  private readonly confirmed = new Set<string>();
  private readonly ledger: Ledger;
  private readonly owners = new Map<string, ReadonlySet<string>>();

  constructor(
    private readonly emulator: Emulator,
    private readonly stacks: readonly Stack[],
    private readonly history: string[],
  ) {
    this.ledger = new Ledger(emulator);
  }

  /** A stack changes and deletes only what it owns, and deletes nothing that others name. */
  othersUntouched(stack: Stack, before: Objects): void {
    for (const [one, change] of this.changes(before)) {
      const owners = this.ownersOf(one.id);
      if (!owners.has(stack.label))
        this.find(`${stack.name} ${change} the ${shown(one)} of ${[...owners].join(" and ")}`);
      // The service itself refuses the deletion of what else is in use.
      const name = one.kind === "Secret" ? `{{ RUNPOD_SECRET_${one.name} }}` : `"${one.id}"`;
      if (change === "changed" || (one.kind !== "Secret" && one.kind !== "RegistryAuth")) continue;
      for (const user of seen(this.emulator).values())
        if (user.text.includes(name) && !this.ownersOf(user.id).has(stack.label))
          this.find(`${stack.name} deleted the ${shown(one)}, which the ${shown(user)} of others names`);
    }
  }

  /** The labels of the stacks that may change an object: who made it, until another one adopts it. */
  ownersOf(id: string): ReadonlySet<string> {
    return this.owners.get(id) ?? new Set([this.ledger.ownerOf(id)]);
  }

  /** Notes that an up may adopt objects: those of which its preview, which can fail for another resource, does not say that it cannot. */
  adopting(stack: Stack, { told }: Said): void {
    const failures = told.split("\n").filter((line) => line.includes(" has a problem: adopt: "));
    for (const id of stack.adopts())
      if (!failures.some((line) => line.includes(id)))
        this.owners.set(id, new Set([...this.ownersOf(id), stack.label]));
  }

  /** Notes which ones it has adopted. After a kill, the state may not tell. Without a mark, the stack that had one cannot see it. */
  adopted(stack: Stack): void {
    const held = stack.ids();
    const present = seen(this.emulator);
    for (const id of stack.adopts().filter((one) => held.has(one))) {
      const one = present.get(id);
      const isMarked = one !== undefined && markDigits(definitions[one.kind], one.object) !== undefined;
      this.owners.set(id, new Set([...(isMarked ? [] : this.ownersOf(id)), stack.label]));
    }
  }

  /** An up changes and deletes only what a preview named. Of twins, the deletion of their resource tells itself. */
  namedByPreview({ named }: Stack, { told }: Said, printed: string, before: Objects): void {
    const isTwin = (id: string) => printed.includes(`(${id}): a request without an answer created it`);
    for (const [one, change] of this.changes(before))
      if (!named.has(one.id) && !told.includes(one.id) && !isTwin(one.id))
        this.find(`up ${change} the ${shown(one)}, which its preview did not name`);
  }

  /** Notes that a user can lose the data of these objects. */
  confirm(ids: string): void {
    for (const id of ids.split(",")) this.confirmed.add(id);
  }

  /** Without confirmation, no replacement loses data, unless the command itself asks for it. */
  dataKept({ steps }: Said, flags: readonly string[], before: Objects): void {
    if (this.confirmed.has("all")) return;
    const isAsked = (urn: string) => flags.includes("--replace") && flags.includes(urn);
    const unasked = steps.filter(({ op, urn }) => op.includes("replace") && !isAsked(urn));
    const replaced = new Set(unasked.flatMap(({ ids }) => ids));
    for (const [one, change] of this.changes(before)) {
      const isLost = change === "deleted" && replaced.has(one.id) && !this.confirmed.has(one.id);
      if (isLost && definitions[one.kind].data?.held(one.object) !== undefined)
        this.find(`up deleted the ${shown(one)} for its replacement, without confirmation`);
    }
  }

  private changes(before: Objects): [Seen, "changed" | "deleted"][] {
    const now = seen(this.emulator);
    return [...before.values()].flatMap((one): [Seen, "changed" | "deleted"][] => {
      const after = now.get(one.id);
      if (after === undefined) return [[one, "deleted"]];
      return after.text === one.text ? [] : [[one, "changed"]];
    });
  }

  /** What an up leaves beside the object of the same resource, though the program is as it was when that was created. */
  noDoubles(stack: Stack): void {
    const held = stack.ids();
    const markOf = ({ kind, object }: Seen) => markDigits(definitions[kind], object);
    const present = [...seen(this.emulator).values()];
    const marks = new Set(present.filter(({ id }) => held.has(id)).map(markOf));
    for (const one of present) {
      const isNew = this.ledger.timeOf(one.id) > stack.since && !held.has(one.id) && !this.isTold(one.id);
      if (isNew && markOf(one) !== undefined && marks.has(markOf(one)))
        this.find(`the up of ${stack.name} leaves the ${shown(one)} beside the one in its state`);
    }
  }

  /** What costs money when both stacks are destroyed and swept: what somebody made by hand, and what a command named. */
  leftInTheEnd(): void {
    for (const one of seen(this.emulator).values())
      if (
        (isCostKind(one.kind) || one.kind === "GlobalVolume") &&
        !this.byHand.has(one.id) &&
        !this.isTold(one.id)
      )
        this.find(`the ${shown(one)} is left, and nothing names it`);
  }

  private isTold(id: string): boolean {
    return this.stacks.some(({ printed, retained }) => printed.includes(id) || retained.has(id));
  }

  /** Tells of what went against the rules. */
  find(finding: string): void {
    this.findings.push(finding);
    this.history.push(`FINDING: ${finding}`);
  }
}

const shown = ({ kind, name, id }: Seen) => `${kind} ${name} (${id})`;
