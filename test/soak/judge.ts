import { definitions } from "../../provider/resources";
import { Ledger } from "../chaos/ledger";
import type { Emulator } from "../emulator";
import type { Ended } from "../harness/project";
import { type Seen, seen } from "./account";
import { type Failure, failuresIn } from "./advice";
import type { Said, Stack } from "./stack";

/** The objects of the account at a time, by their ids. */
export type Objects = ReadonlyMap<string, Seen>;

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

  /** A stack changes and deletes only what it owns. */
  othersUntouched(stack: Stack, before: Objects): void {
    for (const [{ kind, name, id }, change] of this.changes(before)) {
      const owners = this.ownersOf(id);
      if (!owners.has(stack.label))
        this.find(`${stack.name} ${change} the ${kind} ${name} (${id}) of ${[...owners].join(" and ")}`);
      if (change === "deleted") this.notUsedByOthers(stack, id);
    }
  }

  /** What a stack deletes, nothing of others names. The service takes it from that without a word. */
  private notUsedByOthers(stack: Stack, deleted: string): void {
    for (const { kind, name, id, text } of seen(this.emulator).values())
      if (text.includes(`"${deleted}"`) && !this.ownersOf(id).has(stack.label))
        this.find(`${stack.name} deleted ${deleted}, which the ${kind} ${name} (${id}) of others has`);
  }

  /** While an interrupted run may have created what only its name tells, an up creates no other one of the name. */
  noneOnAGuess(stack: Stack, pending: ReturnType<Stack["pending"]>, before: Objects): void {
    const created = [...seen(this.emulator).values()].filter(({ id }) => !before.has(id));
    for (const { type, name } of pending) {
      const isIt = (one: Seen) =>
        type.endsWith(`:${one.kind}`) &&
        one.name === name &&
        definitions[one.kind].mark === undefined &&
        this.isMadeBy(stack, one.id);
      const left = [...before.values()].find((one) => isIt(one) && !stack.ids().has(one.id));
      const other = created.find(isIt);
      if (left !== undefined && other !== undefined)
        this.find(
          `${stack.name} created the ${other.kind} ${other.id} although a run may have created ${left.id}`,
        );
    }
  }

  /** The labels of the stacks that may change an object: who made it, until another one adopts it. */
  ownersOf(id: string): ReadonlySet<string> {
    return this.owners.get(id) ?? new Set([this.ledger.ownerOf(id)]);
  }

  isMadeBy({ label }: Stack, id: string): boolean {
    return this.ledger.ownerOf(id) === label;
  }

  /** Notes that another stack has some of the objects. */
  moved(): void {
    for (const one of this.stacks) for (const id of one.ids()) this.owners.set(id, new Set([one.label]));
  }

  /** Notes that an up may adopt objects: those of which its preview, which can fail for another resource, does not say that it cannot. */
  adopting(stack: Stack, { told }: Said): void {
    const failures = told.split("\n").filter((line) => line.includes(" has a problem: adopt: "));
    const isRefused = (id: string) => failures.some((line) => line.includes(id));
    for (const id of stack.adopts())
      if (!isRefused(id)) this.owners.set(id, new Set([...this.ownersOf(id), stack.label]));
  }

  /** Notes which ones it has adopted. After a kill, the state may not tell. */
  adopted(stack: Stack): void {
    const held = stack.ids();
    for (const id of stack.adopts()) if (held.has(id)) this.owners.set(id, new Set([stack.label]));
  }

  /** An up changes and deletes only what a preview named. */
  namedByPreview({ named }: Stack, { told }: Said, before: Objects): void {
    for (const [{ kind, name, id }, change] of this.changes(before))
      if (!named.has(id) && !told.includes(id))
        this.find(`up ${change} the ${kind} ${name} (${id}), which its preview did not name`);
  }

  /**
   * An up fails where its preview fails, or warns of what fails it, and only there. No preview asks podlumi about a deletion, which fails
   * while others use the object. What a person has deleted only fails the change of it, and its
   * deletion under another provider, until a refresh.
   */
  foretold(stack: Stack, said: Said, { ok, printed }: Ended): void {
    if (said.ok === ok) return;
    const failures = failuresIn(printed);
    const untold = ["PODLUMI-IN-USE", ...(stack.isBehind ? ["PODLUMI-GONE", "PODLUMI-OTHER-ACCOUNT"] : [])];
    const isTold = ({ code }: Failure) => untold.includes(String(code)) || said.told.includes(`[${code}]`);
    if (said.ok && failures.length > 0 && failures.every(isTold)) return;
    this.find(`the preview of ${stack.name} ${said.ok ? "succeeds" : "fails"}, and its up does not`);
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
    for (const [{ kind, name, id, object }, change] of this.changes(before))
      if (
        change === "deleted" &&
        replaced.has(id) &&
        !this.confirmed.has(id) &&
        definitions[kind].dataHeld?.(object) !== undefined
      )
        this.find(`up deleted the ${kind} ${name} (${id}) for its replacement, without confirmation`);
  }

  /** Where a run deletes a secret that others refer to, it says so. The service does not refuse it. */
  lostSecretsTold(stack: Stack, printed: string, before: Objects): void {
    for (const [{ kind, name, id: deleted }, change] of this.changes(before)) {
      if (kind !== "Secret" || change !== "deleted" || printed.includes("[PODLUMI-STILL-USED]")) continue;
      for (const one of seen(this.emulator).values())
        if (one.text.includes(`{{ RUNPOD_SECRET_${name} }}`) && !this.ownersOf(one.id).has(stack.label))
          this.find(
            `${stack.name} deleted the secret ${name} (${deleted}) and does not say that ${one.id} of others refers to it`,
          );
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

  /** What costs money, is of a stack, is in no state, and no command has named. */
  unnamed(): Seen[] {
    const held = new Set(this.stacks.flatMap((one) => [...one.ids()]));
    return [...seen(this.emulator).values()].filter(
      ({ id, kind }) =>
        definitions[kind].bills === true && !this.byHand.has(id) && !held.has(id) && !this.isTold(id),
    );
  }

  /** Those of them that a stack has made, and whose name an object of its state has. */
  doubles(stack: Stack): Seen[] {
    const held = stack.ids();
    const having = [...seen(this.emulator).values()].filter(({ id }) => held.has(id));
    return this.unnamed().filter(
      ({ id, kind, name }) =>
        this.isMadeBy(stack, id) && having.some((other) => other.kind === kind && other.name === name),
    );
  }

  private isTold(id: string): boolean {
    return this.stacks.some(({ printed, retained }) => printed.includes(id) || retained.has(id));
  }

  /** What is left when both stacks are empty: what somebody made by hand, and what a command named. */
  leftInTheEnd(): void {
    for (const { id, kind, name } of seen(this.emulator).values())
      if (definitions[kind].bills === true && !this.byHand.has(id) && !this.isTold(id))
        this.find(`the ${kind} ${name} (${id}) is left, and nothing names it`);
  }

  /** Tells of what went against the rules. */
  find(finding: string): void {
    this.findings.push(finding);
    this.history.push(`FINDING: ${finding}`);
  }
}
