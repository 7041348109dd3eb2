import { Api } from "./client/api";
import { ConfigurationError } from "./client/errors";
import { type Lookup, settings, unknownKeys } from "./config";
import type { Session } from "./core/handler";
import { Journal } from "./core/journal";

/**
 * The one session of a provider process. The engine starts a process for each provider of a program and configures
 * every kind in it with the same configuration, so all kinds share one client, made when it is first needed.
 */
export function session(environment: NodeJS.ProcessEnv = process.env): Session {
  let lookup: Lookup = () => undefined;
  let misspelt: string[] = [];
  let api: Api | undefined;
  let journal: Journal | undefined;
  const told = new Set<string>();
  return {
    // Must not throw: the host would keep the unconfigured object for the rest of the run.
    configure(config) {
      lookup = (key) => config.get(key);
      misspelt = unknownKeys(Object.keys((config as { rawConfig?: object }).rawConfig ?? {}));
    },
    faults() {
      try {
        settings((key) => lookup(key) ?? keyless(key), environment);
        return misspelt.map((reason) => ({ property: "", reason }));
      } catch (error) {
        if (error instanceof ConfigurationError) return [{ property: "", reason: error.message }];
        throw error;
      }
    },
    journal() {
      const { apiUrl, apiKey } = settings((key) => lookup(key) ?? keyless(key), environment);
      journal ??= new Journal(apiUrl, apiKey);
      return journal;
    },
    unchecked(what, why) {
      if (told.has(what)) return;
      told.add(what);
      // The engine shows what a provider writes to its standard error as a remark on the stack.
      process.stderr.write(`podlumi could not check ${what}: ${why}\n`);
    },
    api() {
      api ??= new Api(settings(lookup, environment));
      return api;
    },
  };
}

/** Stands for a key where none is needed. */
function keyless(key: string): string | undefined {
  return key === "podlumi:apiKey" ? "unset" : undefined;
}
