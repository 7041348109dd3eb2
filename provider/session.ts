import { Api } from "./client/api";
import { ConfigurationError } from "./client/errors";
import { type Lookup, settings, unknownKeys } from "./config";
import { Changes } from "./core/changes";
import type { Session } from "./core/handler";
import { Journal } from "./core/journal";
import { removeLeftovers } from "./core/leftovers";
import { remark } from "./progress";

/**
 * The one session of a provider process. The engine starts a process for each provider of a program and configures
 * every kind in it with the same configuration, so all kinds share one client, made when it is first needed.
 */
export function session(environment: NodeJS.ProcessEnv = process.env): Session {
  let lookup: Lookup = () => undefined;
  let misspelt: string[] = [];
  let api: Api | undefined;
  let journal: Journal | undefined;
  let changes: Changes | undefined;
  const told = new Set<string>();
  /** For what needs no key: a preview without one. */
  const keyless = { ...environment, RUNPOD_API_KEY: environment.RUNPOD_API_KEY || "unset" };
  let tidied: Promise<void> | undefined;
  /** What is noted on this machine of the account. */
  const notes = <T>(Notes: new (account: string, apiKey: string) => T) => {
    const { apiUrl, apiKey } = settings(lookup, keyless);
    return new Notes(apiUrl, apiKey);
  };
  const own: Session = {
    // Must not throw: the host would keep the unconfigured object for the rest of the run.
    configure(config) {
      lookup = (key) => config.get(key);
      misspelt = unknownKeys(Object.keys((config as { rawConfig?: object }).rawConfig ?? {}));
    },
    faults() {
      try {
        settings(lookup, keyless);
        return misspelt.map((reason) => ({ property: "", reason }));
      } catch (error) {
        if (error instanceof ConfigurationError) return [{ property: "", reason: error.message }];
        throw error;
      }
    },
    journal() {
      journal ??= notes(Journal);
      return journal;
    },
    changes() {
      changes ??= notes(Changes);
      return changes;
    },
    unchecked(what, why) {
      if (told.has(what)) return;
      told.add(what);
      remark(undefined, `podlumi could not check ${what}: ${why}`);
    },
    api() {
      api ??= new Api(settings(lookup, environment));
      return api;
    },
    makers: new Map(),
    tidy(stack) {
      tidied ??= removeLeftovers(
        own,
        stack,
        () => true,
        (text) => remark(undefined, text),
      );
      return tidied;
    },
  };
  return own;
}
