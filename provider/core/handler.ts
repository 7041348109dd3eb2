import type * as dynamic from "@pulumi/pulumi/dynamic";
import type { Api } from "../client/api";
import { type Failure, failures } from "./check";
import type { Definition, Observed } from "./definition";
import { declaration, differences } from "./diff";
import { explain, NotReadyError } from "./errors";
import type { Field } from "./field";
import { body, inputsOf, sharedMap, stateOf, stateOfFound, wantedInputs } from "./state";
import { isUnknown, type Properties } from "./value";

/** What a handler needs from its process: the configuration's faults for check, the service for all else. */
export interface Session {
  configure(config: dynamic.Config): void;
  /** Faults of the configuration that are certain; a missing key is none, since a preview does without. */
  faults(): Failure[];
  /** The service. Throws a ConfigurationError when the configuration does not allow it. */
  api(): Api;
}

/** The verbs that the engine calls, for one kind. */
export function handler<Args>(definition: Definition<Args>, session: Session): dynamic.ResourceProvider {
  const fields = definition.fields as Record<string, Field>;
  const { noun } = definition;

  /** Finishes an object whose id is known: whatever fails from here on, the state keeps it. */
  async function ensured(id: string, inputs: Properties, wanted: Properties, observed: Observed) {
    if (definition.ensure === undefined) return stateOf(fields, observed, inputs);
    try {
      return stateOf(fields, await definition.ensure(session.api(), id, wanted, observed), inputs);
    } catch (error) {
      const last = error instanceof NotReadyError ? error.observed : observed;
      const reason = explain(error, `${named(inputs)} (${id}) exists but is not ready`, fields, inputs);
      const properties = { ...stateOf(fields, last, inputs), __provider: inputs.__provider };
      throw Object.assign(new Error(reason.message), { id, properties, reasons: [reason.message] });
    }
  }

  function named({ name }: Properties): string {
    return typeof name === "string" ? `${noun} "${name}"` : noun;
  }

  return {
    async configure({ config }) {
      session.configure(config);
    },

    async check(_olds, news) {
      const { __provider, ...given } = news;
      const found = [...session.faults(), ...failures(fields, definition.rules ?? [], given)];
      const inputs = { ...news };
      for (const [name, field] of Object.entries(fields)) {
        if (inputs[name] === undefined && field.default !== undefined) inputs[name] = field.default;
        if (field.normalize && inputs[name] !== undefined && !isUnknown(inputs[name])) {
          inputs[name] = field.normalize(inputs[name]);
        }
      }
      return { inputs, failures: found };
    },

    async diff(id, olds, news) {
      const found = await differences(fields, olds, news, () => session.api()).catch((error) => {
        throw explain(error, `cannot compare ${named(news)} (${id})`, fields, news);
      });
      const replaces = [...found].filter(([, change]) => change === "replace").map(([name]) => name);
      return {
        changes: found.size > 0 || olds.__provider !== news.__provider,
        replaces,
        deleteBeforeReplace: definition.uniqueName === true && replaces.length > 0,
      };
    },

    async create({ __provider, ...inputs }) {
      const made = await definition.create(session.api(), body(fields, inputs)).catch((error) => {
        throw explain(error, `could not create ${named(inputs)}`, fields, inputs);
      });
      return { id: made.id, outs: await ensured(made.id, { ...inputs, __provider }, inputs, made) };
    },

    async read(id, props = {}) {
      const observed = await definition.read(session.api(), id, props).catch((error) => {
        throw explain(error, `could not read ${named(props)} (${id})`, fields, props);
      });
      const declared = props.__declared !== undefined;
      if (observed === undefined) {
        if (declared) return {};
        throw explain(undefined, `there is no ${noun} with the id "${id}" in this account`, fields, props);
      }
      if (!declared) return { id, props: stateOfFound(observed) };
      const state = stateOf(fields, observed, inputsOf(props));
      return { id, props: state, inputs: inputsOf(state) };
    },

    async update(id, olds, news) {
      const api = session.api();
      const wanted = wantedInputs(fields, olds, news);
      const observed = await changed(api, id, olds, news, wanted).catch((error) => {
        throw explain(error, `could not update ${named(news)} (${id})`, fields, news);
      });
      return { outs: await ensured(id, news, wanted, observed) };
    },

    async delete(id, props) {
      await definition.delete(session.api(), id).catch((error) => {
        throw explain(error, `could not delete ${named(props)} (${id})`, fields, props);
      });
    },
  };

  /** Sends what differs in one request, or only looks when nothing does. */
  async function changed(api: Api, id: string, olds: Properties, news: Properties, wanted: Properties) {
    const found = await differences(fields, olds, news, () => api);
    const names = [...found.keys()].filter((name) => !fields[name]?.ensured);
    const patch = Object.fromEntries(names.map((name) => [name, wanted[name]]));
    const shared = names.filter((name) => fields[name]?.shared);
    if (shared.length === 0 && names.length > 0 && definition.update) {
      return definition.update(api, id, body(fields, patch), news);
    }
    const present = await definition.read(api, id, olds);
    if (present === undefined)
      throw new Error("it is gone. Run `pulumi refresh`, then `pulumi up` makes it anew");
    if (names.length === 0 || !definition.update) return present;
    for (const name of shared) patch[name] = sharedMap(present[name], patch[name], declaration(olds)[name]);
    return definition.update(api, id, body(fields, patch), news);
  }
}
