import type { Properties } from "../../value";
import type { Compared, ServiceObject } from "../kind";
import { newCallDigits } from "../mark/mark";
import type { Autonaming } from "./autonaming";

/** The requests of a create. One that a hook of the program retries continues them. */
export interface CreateRequests {
  /** Digits that identify it in the marks of what it creates. */
  readonly digits: string;
  /** All objects of the kind before the first request. */
  readonly existing: readonly ServiceObject[];
  /** How many requests were sent. */
  attempts: number;
  /** The numbers of the requests that had no clear answer. */
  readonly unclear: number[];
  /** When the last of these failed, by this machine's clock. */
  unclearAt: number;
}

/** One resource in this run: each call leaves here what a later one needs. What all resources of the run share is in the Run. */
export class ResourceRecord {
  /** How the engine wants its name made up, where it says so with the check. */
  autonaming?: Autonaming;
  /** The names of the inputs that are secret in the program, or hold something secret. */
  secrets: readonly string[] = [];
  /** The inputs in the state, by the check. */
  before: Properties | undefined;
  /** The program's inputs. Undefined before the check of this run. */
  declared: Properties | undefined;
  isNameGiven = false;
  /** The last check had no old inputs: the resource is new, or is being replaced. */
  isToBeCreated = false;
  compared: Compared | undefined;
  /** The id of the object that it adopts or takes over. */
  foundId: string | undefined;
  /** The object of a failed create or update, and the state that is kept of it. */
  halfDone: { readonly id: string; readonly state: Properties } | undefined;
  private tries = 0;
  private requests: CreateRequests | undefined;
  /** The requests of its update are over. */
  isUpdateOver = false;

  /** A check begins. What is replaced is checked once more, without what it had. */
  beginCheck(inputs: Properties, before: Properties | undefined, secrets: unknown): void {
    this.noteSecrets(Array.isArray(secrets) ? secrets : []);
    this.before = before ?? this.before;
    this.isToBeCreated = before === undefined;
    this.isNameGiven = inputs.name !== undefined;
    this.declared ??= {};
  }

  /** More of its inputs are secret. */
  noteSecrets(names: readonly string[]): void {
    this.secrets = [...new Set([...this.secrets, ...names])];
  }

  /** A check has come to its end. */
  noteDeclared(inputs: Properties): void {
    this.declared = inputs;
  }

  /** False in a refresh and a deletion, which compare without a check. */
  get isChecked(): boolean {
    return this.declared !== undefined;
  }

  noteCompared(compared: Compared): void {
    this.compared = compared;
  }

  /** The resource goes on with an object: it adopts it, takes it over, or has it in the state, and nothing replaces it. */
  isKept(id: string): boolean {
    const { compared } = this;
    const stays = this.isChecked && !this.isToBeCreated && compared?.id === id && !compared.isReplaced;
    return this.foundId === id || stays;
  }

  noteFound(id: string | undefined): void {
    this.foundId = id;
  }

  /** A resource with an object adopts none, unless that is replaced, and the program names another one by its id. */
  willAdopt({ adopt }: Properties): boolean {
    if (adopt === undefined) return false;
    const { compared, before } = this;
    if (compared === undefined && before === undefined) return true;
    const isNamed = typeof adopt === "string" && adopt !== compared?.id && adopt !== before?.adopt;
    return this.isToBeCreated && isNamed;
  }

  /** Its create begins to send, or goes on. */
  createRequests(existing: readonly ServiceObject[]): CreateRequests {
    this.requests ??= {
      digits: newCallDigits(),
      existing,
      attempts: 0,
      unclear: [],
      unclearAt: Number.NEGATIVE_INFINITY,
    };
    return this.requests;
  }

  /** A try of its create or update begins. Returns its number. */
  countTry(): number {
    this.tries += 1;
    return this.tries;
  }

  /** Its create or update has failed, and there is an object. */
  noteHalfDone(id: string, state: Properties): void {
    this.halfDone = { id, state };
  }

  /** The engine has deleted one of its objects. */
  noteDeleted(id: string): void {
    if (this.halfDone?.id === id) this.halfDone = undefined;
  }
}
