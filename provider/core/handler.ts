import type {
  CheckResult,
  CreateResult,
  ReadResult,
  ResourceProvider,
  UpdateResult,
} from "@pulumi/pulumi/dynamic";
import { clearStatus, log, warn } from "../engine/log";
import { checker } from "../schema/check";
import type { Properties } from "../value";
import { tooManyTries } from "../words/requests";
import { type Edit, type Existing, editOf, existingOf, resourceOf } from "./call";
import type { Run } from "./call/run";
import { LeavingError } from "./errors";
import type { Kind } from "./kind";
import { adoptField } from "./own/adopt";
import { isDeclared } from "./state/declared";
import {
  becomeSecret,
  hideSecretsOf,
  noteKeptSecrets,
  withSecretOutputs,
  withSecretsFound,
} from "./state/secrets";
import { explaining } from "./telling";
import { check } from "./verbs/check";
import { create } from "./verbs/create";
import { type Difference, diff } from "./verbs/diff";
import { get } from "./verbs/get";
import { imported } from "./verbs/import";
import { refresh } from "./verbs/read";
import { remove } from "./verbs/remove";
import { update } from "./verbs/update";

/** The verbs that the engine calls, for one kind. `timeout`, in seconds, overrides `waitTimeout` and `deleteTimeout`. */
export interface Handler extends ResourceProvider {
  readonly kind: Kind;
  check(oldInputs: Properties | undefined, news: Properties): Promise<CheckResult>;
  diff(id: string, state: Properties, news: Properties): Promise<Difference>;
  create(inputs: Properties, timeout?: number): Promise<CreateResult>;
  /** `ofEngine` has the inputs in the state, where the engine tells them. */
  read(id: string, props?: Properties, ofEngine?: Properties): Promise<ReadResult>;
  /** Reads an object with everything that a program could declare of it. */
  import(id: string, whose: Properties): Promise<ReadResult>;
  update(id: string, state: Properties, news: Properties, timeout?: number): Promise<UpdateResult>;
  delete(id: string, props: Properties, timeout?: number): Promise<void>;
}

/** A try of a create or an update. `again` goes on with the object that an earlier one has left. */
type Tried = (again?: Edit) => Promise<CreateResult>;

/** The handler of a kind in one run: the verbs, with what all kinds have around them. */
export function handler(definition: Kind, run: Run): Handler {
  const fields = definition.single ? definition.fields : { ...definition.fields, adopt: adoptField };
  const kind = { ...definition, fields, faults: checker(fields, definition.rules) };
  run.kinds.push(kind);
  /** Ends each call with a clear status line, and with an error that a user can read. */
  const act = <T>(urn: unknown, verb: () => Promise<T>): Promise<T> =>
    explaining(undefined, { kind }, verb).finally(() => clearStatus(urn));
  /** Comes before every verb on an object of a state. */
  const meet = <E extends Existing>(existing: E): E => {
    run.accounts.meets(kind, existing.id, existing.state);
    hideSecretsOf(existing);
    return existing;
  };
  /** A hook of the program can have a failed call tried again. The engine hands each try the state from before the first one. */
  const tried = async (inputs: Properties, verb: Tried): Promise<CreateResult> => {
    const record = run.record(inputs.__urn);
    const isLast = record.countTry() === mostTries;
    const { halfDone: before } = record;
    try {
      return await verb(before && editOf(kind, run, before.id, before.state, inputs));
    } catch (error) {
      if (error instanceof LeavingError) record.noteHalfDone(error.id, error.properties);
      const { halfDone } = record;
      if (halfDone === undefined) throw error;
      const { message } = error as Error;
      if (!isLast) throw new LeavingError(message, halfDone.id, halfDone.state);
      log(inputs.__urn, message);
      warn(inputs.__urn, tooManyTries(mostTries), "PODLUMI-NOT-READY");
      return { id: halfDone.id, outs: halfDone.state };
    }
  };
  /** Adds the outputs that podlumi computes. */
  const withDerived = <O extends Properties | undefined>(inputs: Properties, outs: O, id: unknown): O =>
    outs && { ...outs, ...kind.outputs.derive?.(inputs, { ...outs, id }) };
  /** Around a create and an update. */
  const make = (inputs: Properties, verb: Tried): Promise<CreateResult> =>
    act(inputs.__urn, () =>
      withSecretOutputs(kind, run, inputs, async () => {
        const { id, outs } = await tried(inputs, verb);
        return { id, outs: withDerived(inputs, outs, id) };
      }),
    );
  return {
    kind,
    configure: async ({ config }) => {
      const { rawConfig = {} } = config as { rawConfig?: object };
      run.configure((key) => config.get(key), Object.keys(rawConfig));
    },
    check: (oldInputs, news) => act(news.__urn, () => check(kind, run, oldInputs, news)),
    diff: (id, state, news) =>
      act(news.__urn, async () => {
        const edit = meet(editOf(kind, run, id, state, news));
        noteKeptSecrets(edit);
        const found = await diff(edit);
        const names = becomeSecret(edit);
        if (names.length === 0 || found.changes !== false) return found;
        log(news.__urn, encryptedNote(names));
        return { ...found, changes: true };
      }),
    create: (inputs, timeout) =>
      make(inputs, (again) =>
        again === undefined ? create(resourceOf(kind, run, inputs), timeout) : update(again, timeout),
      ),
    read: (id, props = {}, ofEngine) =>
      act(props.__urn, async () => {
        const existing = meet(existingOf(kind, run, id, props));
        // A program reads an object without declaring it (`get`).
        const reading = isDeclared(props) ? refresh(existing, ofEngine) : get(existing);
        const { props: outs, ...found } = await reading;
        const derived = withDerived(found.inputs ?? outs, outs, id);
        const discreet = (one: Properties) => withSecretsFound(existing, one);
        return {
          ...found,
          ...(found.inputs && { inputs: discreet(found.inputs) }),
          props: derived && discreet(derived),
        };
      }),
    import: (id, whose) =>
      act(whose.__urn, async () => {
        const { props: outs, ...found } = await imported(resourceOf(kind, run, whose), id);
        return { ...found, props: withDerived(found.inputs, outs, id) };
      }),
    update: (id, state, news, timeout) =>
      make(news, (again) => update(again ?? meet(editOf(kind, run, id, state, news)), timeout)),
    // The time-out of a deletion is in the state, since the engine gives a deletion no inputs.
    delete: (id, props, timeout) =>
      act(props.__urn, () => {
        const state = timeout === undefined ? props : { ...props, deleteTimeout: timeout };
        return remove(meet(existingOf(kind, run, id, state)));
      }),
  };
}

/** The tries that the engine lets a hook have. After the last one, it keeps neither the id nor a state that any command can read. */
const mostTries = 100;

const encryptedNote = (names: readonly string[]) =>
  `only the state changes, to encrypt what is a secret now (${names.join(", ")}): nothing is sent to the service`;
