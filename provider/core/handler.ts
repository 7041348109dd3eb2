import type {
  CheckResult,
  CreateResult,
  ReadResult,
  ResourceProvider,
  UpdateResult,
} from "@pulumi/pulumi/dynamic";
import { log, onBehalfOf } from "../engine/log";
import { adoptField } from "./apply/adopt";
import { explain } from "./errors";
import { failIfEmulationDiffers } from "./guard/emulated";
import { failIfKindDiffers } from "./guard/other-kind";
import { checker } from "./kind/check";
import type { Kind } from "./kind/definition";
import {
  becomeSecret,
  hideSecretsOf,
  noteKeptSecrets,
  withSecretOutputs,
  withSecretsFound,
} from "./kind/secret-outputs";
import type { Existing } from "./resource";
import type { Run } from "./run";
import type { Properties } from "./value";
import { type Checkable, check } from "./verbs/check";
import { create } from "./verbs/create";
import { remove } from "./verbs/delete";
import { type Difference, diff } from "./verbs/diff";
import { imported, read } from "./verbs/read";
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

type Verbs = Omit<Handler, "kind" | "configure">;

/** The handler of a kind in one run. */
export function handler(definition: Kind, run: Run): Handler {
  const fields = definition.single ? definition.fields : { ...definition.fields, adopt: adoptField };
  const kind = { ...definition, fields, faults: checker(fields, definition.rules) };
  run.kinds.push(kind);
  /** After a failure, the program may have ended before all that it declares. No other sign of that reaches a provider. */
  const noting =
    <Given extends unknown[], T>(act: (...given: Given) => Promise<T>) =>
    async (...given: Given): Promise<T> => {
      try {
        return await act(...given);
      } catch (error) {
        run.did.fail = true;
        throw explain(error, undefined, fields);
      }
    };
  const verbs = verbsOf(kind, run);
  return {
    kind,
    configure: async ({ config }) => {
      const { rawConfig = {} } = config as { rawConfig?: object };
      run.configure((key) => config.get(key), Object.keys(rawConfig));
    },
    check: noting(verbs.check),
    diff: noting(verbs.diff),
    create: noting(verbs.create),
    read: noting(verbs.read),
    import: noting(verbs.import),
    update: noting(verbs.update),
    delete: noting(verbs.delete),
  };
}

/** The verbs, with what all kinds have around them: guards of what is met, derived outputs, and secrets. */
function verbsOf(kind: Checkable, run: Run): Verbs {
  const meet = (id: string, state: Properties) => met({ kind, run, id, state });
  /** Adds the outputs that podlumi computes. */
  const withDerived = <O extends Properties | undefined>(inputs: Properties, outs: O, id: unknown): O =>
    outs && { ...outs, ...kind.derive?.(inputs, { ...outs, id }) };
  return {
    async check(oldInputs, news) {
      const result = await onBehalfOf(news.__urn, () => check(kind, run, oldInputs, news));
      if (result.failures?.length) run.did.fail = true;
      return result;
    },
    async diff(id, state, news) {
      noteKeptSecrets(run, state, news);
      const found = await diff({ ...meet(id, state), inputs: news });
      const names = becomeSecret(kind, run, state, news);
      if (names.length === 0 || found.changes !== false) return found;
      log(news.__urn, encryptedNote(names));
      return { ...found, changes: true };
    },
    create: (inputs, timeout) =>
      withSecretOutputs(kind, run, inputs, async () => {
        const { id, outs } = await create({ kind, run, inputs }, timeout);
        return { id, outs: withDerived(inputs, outs, id) };
      }),
    async read(id, props = {}, ofEngine) {
      const { props: outs, ...found } = await read(meet(id, props), ofEngine);
      const derived = withDerived(found.inputs ?? outs, outs, id);
      const discreet = (one: Properties) => withSecretsFound(kind, run, props, one);
      return {
        ...found,
        ...(found.inputs && { inputs: discreet(found.inputs) }),
        props: derived && discreet(derived),
      };
    },
    async import(id, whose) {
      const { props: outs, ...found } = await imported(kind, run, id, whose);
      return { ...found, props: withDerived(found.inputs, outs, id) };
    },
    update: (id, state, news, timeout) =>
      withSecretOutputs(kind, run, news, async () => {
        const { outs } = await update({ ...meet(id, state), inputs: news }, timeout);
        return { outs: withDerived(news, outs, id) };
      }),
    // The time-out of a deletion is in the state, since the engine gives a deletion no inputs.
    async delete(id, props, timeout) {
      await remove(meet(id, timeout === undefined ? props : { ...props, deleteTimeout: timeout }));
    },
  };
}

/** Comes before every verb on an object of a state. */
function met(existing: Existing): Existing {
  existing.run.states.meets(existing.state);
  hideSecretsOf(existing.kind, existing.state);
  failIfKindDiffers(existing);
  failIfEmulationDiffers(existing);
  return existing;
}

const encryptedNote = (names: readonly string[]) =>
  `only the state changes, to encrypt what is a secret now (${names.join(", ")}): nothing is sent to the service`;
