import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { confirmDataLoss } from "../../provider/config";
import type { Run } from "../../provider/core/call/run";
import { handler } from "../../provider/core/handler";
import { unwrapped, withSecrets } from "../../provider/core/state/secret-value";
import { kindOfUrn, pluginTokenOf, secretCopies, typeOf } from "../../provider/identity";
import { secretLike } from "../../provider/plugin/secrets";
import { service } from "../../provider/plugin/server";
import { definitions, type KindName } from "../../provider/resources";
import type { Properties } from "../../provider/value";
import { type Entry, inProcess, PluginClient, Refusal } from "../harness/plugin-client";

/** Which provider serves a resource: the dynamic one, or the plugin. */
export type FaceName = "dynamic" | "plugin";

/** A provider as the engine calls it. Secrets are wrapped, since the engine keeps them so in the state. */
export interface Face {
  check(urn: string, olds: Properties | undefined, news: Properties): Promise<Checked>;
  diff(urn: string, entry: Entry, news: Properties): Promise<Difference>;
  create(urn: string, news: Properties): Promise<{ id: string; outputs: Properties }>;
  /** The id is empty when the object is gone. */
  read(urn: string, id: string, state: { inputs: Properties; outputs: Properties }): Promise<Entry>;
  update(urn: string, entry: Entry, news: Properties): Promise<{ outputs: Properties }>;
  delete(urn: string, entry: Entry): Promise<void>;
  cancel(): void;
}

interface Checked {
  readonly inputs: Properties;
  readonly failures: readonly { property: string; reason: string }[];
}

interface Difference {
  /** Undefined: the engine compares the inputs. */
  readonly changes: boolean | undefined;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

/** The type of a kind, as each face calls it. */
export const typeOfFace: Record<FaceName, (kind: KindName) => string> = {
  dynamic: typeOf,
  plugin: pluginTokenOf,
};

/** Starts a face. */
export function faceOf(name: FaceName, run: Run, providerId: string): Face {
  return name === "dynamic" ? dynamic(run, providerId) : plugin(run, providerId);
}

/** What Pulumi's host of dynamic providers does, and the classes of podlumi. */
function dynamic(run: Run, providerId: string): Face {
  run.configure((key) => (key === confirmDataLoss ? "all" : undefined));
  const handlers = Object.fromEntries(
    Object.entries(definitions).map(([kind, definition]) => [kind, handler(definition, run)]),
  );
  const of = (urn: string) => handlers[String(kindOfUrn(urn))] as ReturnType<typeof handler>;
  /** The host knows no secrets. The engine marks as secret what was secret in the inputs, and what the class names. */
  const hidden = (urn: string, properties: object | undefined, like: Properties) =>
    withSecrets(secretLike(copied({ ...properties, __provider: "p" }), like) as Properties, [
      ...(definitions[kindOfUrn(urn) as KindName].outputs.shape.secrets ?? []),
      ...secretCopies,
    ]);
  const told = async <T>(urn: string, news: Properties, act: () => Promise<T>): Promise<T> => {
    try {
      return await act();
    } catch (error) {
      const { message, id, properties, reasons } = error as Refusal;
      if (id === undefined) throw error;
      throw new Refusal(message, 2, id, hidden(urn, properties, news), reasons);
    }
  };
  return {
    async check(urn, olds = {}, news) {
      const given = { ...plain(news), __provider: "p", __urn: urn, __providerId: providerId };
      const { inputs, failures = [] } = await of(urn).check(plain(olds), given);
      return { inputs: hidden(urn, inputs, news), failures };
    },
    async diff(urn, { id, outputs }, news) {
      const found = await of(urn).diff(id, plain(outputs), plain(news));
      const { changes, replaces = [], deleteBeforeReplace = false } = found;
      return { changes, replaces, deleteBeforeReplace };
    },
    async create(urn, news) {
      const { id, outs } = await told(urn, news, () => of(urn).create(plain(news)));
      return { id, outputs: hidden(urn, outs, news) };
    },
    async read(urn, id, { inputs: oldInputs, outputs }) {
      const { id: found = "", props, inputs } = await of(urn).read(id, plain(outputs));
      return { id: found, outputs: hidden(urn, props, outputs), inputs: hidden(urn, inputs, oldInputs) };
    },
    async update(urn, { id, outputs }, news) {
      const { outs } = await told(urn, news, () => of(urn).update(id, plain(outputs), plain(news)));
      return { outputs: hidden(urn, outs, news) };
    },
    delete: (urn, { id, outputs }) => of(urn).delete(id, plain(outputs)),
    // Pulumi's host passes no cancellation on.
    cancel: () => undefined,
  };
}

/** The functions of the plugin's server, as gRPC calls them. */
function plugin(run: Run, providerId: string): Face {
  const client = new PluginClient(inProcess(service(run, "0.0.0", () => "{}")));
  const configured = client.configure({ confirmDataLoss: "all" }, providerId);
  return {
    check: (urn, olds, news) => configured.then(() => client.check(urn, olds, news)),
    diff: (urn, entry, news) => configured.then(() => client.diff(urn, entry, news)),
    create: (urn, news) => configured.then(() => client.create(urn, news)),
    read: (urn, id, state) => configured.then(() => client.read(urn, id, state)),
    update: (urn, entry, news) => configured.then(() => client.update(urn, entry, news)),
    delete: (urn, entry) => configured.then(() => client.delete(urn, entry)),
    cancel: () => void client.call("cancel", new Empty()),
  };
}

/** Copies properties through JSON, as they travel between the engine and the provider. */
const copied = (value: object) => JSON.parse(JSON.stringify(value)) as Properties;

/** The same without marks of secrets, as the host passes them on. */
const plain = (value: object) => copied(unwrapped(value));
