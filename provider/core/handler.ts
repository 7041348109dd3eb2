import { isDeepStrictEqual } from "node:util";
import type * as dynamic from "@pulumi/pulumi/dynamic";
import type { Api } from "../client/api";
import { ExpectedError } from "../client/errors";
import { onBehalfOf, remark, warn } from "../progress";
import { AdoptionError, adoptField, declaredTwice } from "./adopt";
import { Beginnings } from "./beginnings";
import type { Changes } from "./changes";
import { checker, completed, type Failure } from "./check";
import { Maker } from "./create";
import type { Definition, Observed } from "./definition";
import { type Differences, declaration, differences, hidden, settable } from "./diff";
import { explain, NotReadyError } from "./errors";
import type { Field } from "./field";
import { type Journal, stackOf } from "./journal";
import { body, inputsOf, sharedMap, stateOf, stateOfFound, wantedInputs } from "./state";
import { isEmpty, type Properties } from "./value";

/**
 * Milliseconds that a look may be old. A refresh takes everything as it was in its course, so that one list serves all
 * resources of a kind, however many there are.
 */
const age = { ofRefresh: Number.POSITIVE_INFINITY, ofLookup: 5_000 };

/** What a handler needs from its process. */
export interface Session {
  configure(config: dynamic.Config): void;
  /** Faults of the configuration that are certain; a missing key is none, since a preview does without. */
  faults(): Failure[];
  /** The service. Throws a ConfigurationError when the configuration does not allow it. */
  api(): Api;
  /** What this machine began to create. */
  journal(): Journal;
  /** What it began to change without being able to look. */
  changes(): Changes;
  /** Who makes the objects of a kind, by its noun. */
  readonly makers: Map<string, Pick<Maker<unknown>, "remove" | "owned">>;
  /** Deletes, once, what earlier runs of a stack left open and no resource has taken over so far. */
  tidy(stack: string): Promise<void>;
  /** Tells the user, once, what a preview could not check, and why. */
  unchecked(what: string, why: string): void;
}

/** The verbs that the engine calls, for one kind. */
export function handler<Args>(definition: Definition<Args>, session: Session): dynamic.ResourceProvider {
  const own = definition.fields as Record<string, Field>;
  const fields = definition.single ? own : { ...own, adopt: adoptField };
  const { noun } = definition;
  const failures = checker(fields, definition.rules);
  const maker = new Maker(definition);
  /** The inputs that the engine's state has, by URN, as a check is told them. */
  const previous = new Map<unknown, Properties>();
  session.makers.set(noun, maker);
  const beginnings = new Beginnings(definition, fields, maker, session);

  function named({ name }: Properties): string {
    return typeof name === "string" ? `${noun} "${name}"` : noun;
  }

  /** What fails is told with what was tried, on which resource. */
  async function told<T>(what: string, properties: Properties, act: () => Promise<T>): Promise<T> {
    try {
      return await onBehalfOf(properties.__urn, act);
    } catch (error) {
      throw explain(error, what, fields, properties);
    }
  }

  /** The same for what needs the service in any case. */
  function attempt<T>(what: string, properties: Properties, act: (api: Api) => Promise<T>): Promise<T> {
    return told(what, properties, async () => act(session.api()));
  }

  /** A state holds this id: it is nothing that was lost. */
  function settled(id: string, { __urn }: Properties): void {
    maker.owned.set(id, String(__urn));
    session.journal().settle(id);
  }

  /** What differs, and `again`: what does not, but of which the service may have something else. */
  async function changesOf(id: string, olds: Properties, news: Properties, api: () => Api) {
    const found = await differences(fields, olds, news, api);
    const unseen = hidden(fields, olds);
    const open = !isEmpty(unseen) && session.changes().mayDiffer(id, unseen);
    const again = open ? (await settable(fields, olds, news, api)).filter((name) => !found.has(name)) : [];
    if (again.length > 0) {
      const what = `a change of ${again.join(", ")}, which nobody can read`;
      warn(news.__urn, `an earlier run did not come to the end of ${what}: sets it again`);
    }
    const all: Differences = new Map([...found, ...again.map((name) => [name, "update"] as const)]);
    return { found: all, again };
  }

  /** Notes a change that nobody can look at afterwards, before it is tried and when it is done. */
  async function noted<T>(id: string, values: Properties, change: () => Promise<T>): Promise<T> {
    const changes = session.changes();
    changes.begin(id, values);
    const result = await change();
    changes.end(id, values);
    return result;
  }

  /** Finishes an object whose id is known: whatever fails from here on, the state keeps it. */
  async function ensured(
    id: string,
    inputs: Properties,
    wanted: Properties,
    observed: Observed,
    before: Properties = {},
  ) {
    const state = (seen: Observed) => ({ ...stateOf(fields, seen, inputs), __urn: inputs.__urn });
    if (definition.ensure === undefined) return state(observed);
    try {
      const { ensure } = definition;
      return state(await onBehalfOf(inputs.__urn, () => ensure(session.api(), id, wanted, observed, before)));
    } catch (error) {
      const last = error instanceof NotReadyError ? error.observed : observed;
      const { message } = explain(error, `${named(inputs)} (${id}) exists but is not ready`, fields, inputs);
      const properties = { ...state(last), __provider: inputs.__provider };
      throw Object.assign(new Error(message), { id, properties, reasons: [message] });
    }
  }

  /** Sends what differs in one request, or only looks when nothing does. */
  async function sent(
    api: Api,
    id: string,
    found: Differences,
    olds: Properties,
    news: Properties,
    wanted: Properties,
  ) {
    const names = [...found.keys()].filter((name) => !fields[name]?.ensured);
    const patch = Object.fromEntries(names.map((name) => [name, wanted[name]]));
    const shared = names.filter((name) => fields[name]?.shared);
    if (shared.length === 0 && names.length > 0 && definition.update) {
      return definition.update(api, id, body(fields, patch), news);
    }
    const present = await definition.read(api, id, olds);
    if (present === undefined) {
      throw new ExpectedError("it is gone. Run `pulumi refresh`, then `pulumi up` makes it anew");
    }
    if (names.length === 0 || !definition.update) return present;
    for (const name of shared) patch[name] = sharedMap(present[name], patch[name], declaration(olds)[name]);
    return definition.update(api, id, body(fields, patch), news);
  }

  return {
    async configure({ config }) {
      session.configure(config);
    },

    async check(olds, news) {
      const { __provider, __urn, ...given } = news;
      const found = [...session.faults(), ...failures(given)];
      const taken = maker.claimed(given.name, String(__urn));
      if (taken !== undefined) found.push({ property: "name", reason: taken });
      if (olds?.__urn !== undefined) previous.set(__urn, olds);
      // An object that exists may hold the new name already, when a run ended before the state learned of it.
      if (olds?.__urn !== undefined) beginnings.begun.add(__urn);
      else if (found.length === 0) found.push(...(await beginnings.obstacles(news)));
      if (found.length === 0) await beginnings.warn(olds ?? {}, news);
      return { inputs: completed(fields, news), failures: found };
    },

    async diff(id, olds, news) {
      // Without a key, what takes no look at the service is compared all the same.
      const { found, again } = await told(`cannot compare ${named(news)} (${id})`, news, async () => {
        const owner = maker.owned.get(id) ?? news.__urn;
        // A state keeps the URN that a resource had before it was renamed, until something else of it changes.
        const own = owner === news.__urn || owner === olds.__urn;
        if (!own) throw new AdoptionError(declaredTwice(owner));
        return changesOf(id, olds, news, () => session.api());
      });
      settled(id, news);
      const checked = previous.get(news.__urn);
      const before = checked ?? inputsOf(olds);
      const edited = [...found.keys()].some((name) => !isDeepStrictEqual(before[name], news[name]));
      const replaces = [...found].filter(([, change]) => change === "replace").map(([name]) => name);
      const inPlace = replaces.length === 0 && found.size > 0;
      // A refresh compares, too, and replaces nothing; it checks no inputs.
      const lost = replaces.length > 0 && checked ? definition.lost?.(olds) : undefined;
      if (lost !== undefined) {
        const why = `a change of ${replaces.join(", ")} replaces the ${noun} ${id}`;
        warn(news.__urn, `${why}, and ${lost} is lost with it unless retainOnDelete keeps it`);
      }
      // Left open, the engine finds by itself which inputs changed: it shows them, and heeds replaceOnChanges.
      const open = again.length === 0 && (inPlace || edited);
      return {
        changes: open ? undefined : found.size > 0 || olds.__provider !== news.__provider,
        replaces,
        deleteBeforeReplace: definition.uniqueName === true,
      };
    },

    async create(inputs) {
      const { __provider, __urn, adopt, ...given } = inputs;
      const made = await attempt(`could not create ${named(given)}`, inputs, async (api) => {
        const found = await beginnings.adoption(api, inputs);
        if (found === undefined) return maker.make(api, session.journal(), given, String(__urn));
        settled(found.id, inputs);
        beginnings.adopted.add(found.id);
        return { id: found.id, ...(await sent(api, found.id, found.changes, found.state, given, given)) };
      });
      try {
        return { id: made.id, outs: await ensured(made.id, inputs, given, made) };
      } finally {
        session.journal().tell(String(__urn));
      }
    },

    async read(id, props = {}) {
      const declared = props.__declared !== undefined;
      const observed = await attempt(`could not read ${named(props)} (${id})`, props, (api) =>
        definition.read(api, id, props, declared ? age.ofRefresh : age.ofLookup),
      );
      if (observed === undefined) {
        if (declared) return {};
        const next = `\`npx podlumi ls\` lists what there is`;
        throw explain(
          undefined,
          `there is no ${noun} with the id "${id}" in this account: ${next}`,
          fields,
          props,
        );
      }
      if (!declared) return { id, props: stateOfFound(observed) };
      settled(id, props);
      const { __urn } = props;
      const state = { ...stateOf(fields, observed, inputsOf(props)), __urn };
      return { id, props: state, inputs: { ...inputsOf(state), __urn } };
    },

    async update(id, olds, news) {
      settled(id, news);
      const wanted = wantedInputs(fields, olds, news);
      const observed = await attempt(`could not update ${named(news)} (${id})`, news, async (api) => {
        const { found } = await changesOf(id, olds, news, () => api);
        const unseen = hidden(fields, news);
        const change = () => sent(api, id, found, olds, news, wanted);
        return Object.keys(unseen).some((name) => found.has(name)) ? noted(id, unseen, change) : change();
      });
      return { outs: await ensured(id, news, wanted, observed, olds) };
    },

    async delete(id, props) {
      settled(id, props);
      beginnings.begun.add(props.__urn);
      // A replacement by hand begins anew without a word of what there was: it has just adopted this very object.
      if (beginnings.adopted.has(id)) return remark(props.__urn, `keeps the ${noun} ${id}, which it adopts`);
      await attempt(`could not delete ${named(props)} (${id})`, props, async (api) => {
        // What a run that was killed had made may use what is to be deleted, and after a destroy nobody looks again.
        await session.tidy(stackOf(String(props.__urn)));
        await definition.delete(api, id, props);
      });
      session.changes().forget(id);
    },
  };
}
