import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { confirmDataLoss } from "../../provider/config";
import { handler } from "../../provider/core/handler";
import { unwrapped, withSecrets } from "../../provider/core/kind/secret-value";
import type { Run } from "../../provider/core/run";
import type { Properties } from "../../provider/core/value";
import { type KindName, kindOfType, pluginTypeOf, typeOf } from "../../provider/identity";
import { Face as PluginFace } from "../../provider/plugin/face";
import { service } from "../../provider/plugin/server";
import { secretLike } from "../../provider/plugin/values";
import { definitions, shapes } from "../../provider/resources";
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
  plugin: pluginTypeOf,
};

/** Starts a face. `stackId` is the id of its provider resource. */
export function faceOf(name: FaceName, run: Run, stackId: string): Face {
  return name === "dynamic" ? dynamic(run, stackId) : plugin(run, stackId);
}

/** What Pulumi's host of dynamic providers does, and the classes of podlumi. */
function dynamic(run: Run, stackId: string): Face {
  run.configure((key) => (key === confirmDataLoss ? "all" : undefined));
  const handlers = Object.fromEntries(
    Object.entries(definitions).map(([kind, definition]) => [kind, handler(definition, run)]),
  );
  const of = (urn: string) => {
    const kind = kindIn(urn);
    return { verbs: handlers[kind] as NonNullable<(typeof handlers)[string]>, kind };
  };
  /** The host knows no secrets. The engine marks as secret what was secret in the inputs, and what the class names. */
  const hidden = (kind: KindName, properties: object | undefined, ...examples: Properties[]) =>
    withSecrets(secretLike(plain(properties), ...examples) as Properties, [
      ...(shapes[kind].secrets ?? []),
      "__asked",
      "__unanswered",
    ]);
  const state = (properties: object | undefined) => ({ ...properties, __provider: "p" });
  return {
    async check(urn, olds, news) {
      const { verbs, kind } = of(urn);
      const given = { ...plain(unwrapped(news)), __provider: "p", __urn: urn, __stack: stackId };
      const { inputs, failures = [] } = await verbs.check(plain(unwrapped(olds ?? {})), given);
      return { inputs: hidden(kind, inputs, news), failures };
    },
    async diff(urn, { id, outputs }, news) {
      const {
        changes,
        replaces = [],
        deleteBeforeReplace = false,
      } = await of(urn).verbs.diff(id, plain(unwrapped(outputs)), plain(unwrapped(news)));
      return { changes, replaces, deleteBeforeReplace };
    },
    async create(urn, news) {
      const { verbs, kind } = of(urn);
      const { id, outs } = await told(kind, news, () => verbs.create(plain(unwrapped(news))));
      return { id, outputs: hidden(kind, state(outs), news) };
    },
    async read(urn, id, { inputs: oldInputs, outputs }) {
      const { verbs, kind } = of(urn);
      const { id: found = "", props, inputs } = await verbs.read(id, plain(unwrapped(outputs)));
      return {
        id: found,
        outputs: hidden(kind, state(props), outputs),
        inputs: hidden(kind, state(inputs), oldInputs),
      };
    },
    async update(urn, { id, outputs }, news) {
      const { verbs, kind } = of(urn);
      const { outs } = await told(kind, news, () =>
        verbs.update(id, plain(unwrapped(outputs)), plain(unwrapped(news))),
      );
      return { outputs: hidden(kind, state(outs), news) };
    },
    async delete(urn, { id, outputs }) {
      await of(urn).verbs.delete(id, plain(unwrapped(outputs)));
    },
    // Pulumi's host passes no cancellation on.
    cancel: () => undefined,
  };

  async function told<T>(kind: KindName, news: Properties, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      const { message, id, properties, reasons } = error as Partial<Refusal>;
      if (id === undefined) throw error;
      throw new Refusal(String(message), 2, id, hidden(kind, properties, news), reasons);
    }
  }
}

/** The functions of the plugin's server, as gRPC calls them. */
function plugin(run: Run, stackId: string): Face {
  const about = { version: "0.0.0", schema: () => "{}" };
  const client = new PluginClient(inProcess(service(new PluginFace(run), about, () => run.cancel())));
  const configured = client.configure({ confirmDataLoss: "all" }, stackId);
  const ready = async () => {
    await configured;
    return client;
  };
  return {
    check: async (urn, olds, news) => (await ready()).check(urn, olds, news),
    diff: async (urn, entry, news) => (await ready()).diff(urn, entry, news),
    create: async (urn, news) => (await ready()).create(urn, news),
    read: async (urn, id, state) => (await ready()).read(urn, id, state),
    update: async (urn, entry, news) => (await ready()).update(urn, entry, news),
    delete: async (urn, entry) => (await ready()).delete(urn, entry),
    cancel: () => void client.call("cancel", new Empty()),
  };
}

function kindIn(urn: string): KindName {
  return kindOfType(urn.split("::")[2] ?? "") as KindName;
}

/** Copies properties through JSON, as they travel between the engine and the provider. */
function plain(value: object | undefined): Properties {
  return JSON.parse(JSON.stringify(value ?? {})) as Properties;
}
