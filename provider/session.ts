import { Api } from "./client/api";
import { ConfigurationError } from "./client/errors";
import { type Lookup, settings } from "./config";
import type { Session } from "./core/handler";

/**
 * The one session of a provider process. The engine starts a process for each provider of a program and configures
 * every kind in it with the same configuration, so all kinds share one client, made when it is first needed.
 */
export function session(environment: NodeJS.ProcessEnv = process.env): Session {
  let lookup: Lookup = () => undefined;
  let api: Api | undefined;
  return {
    // Must not throw: the host would keep the unconfigured object for the rest of the run.
    configure(config) {
      lookup = (key) => config.get(key);
    },
    faults() {
      try {
        settings((key) => lookup(key) ?? (key === "podlumi:apiKey" ? "unset" : undefined), environment);
        return [];
      } catch (error) {
        if (error instanceof ConfigurationError) return [{ property: "", reason: error.message }];
        throw error;
      }
    },
    api() {
      api ??= new Api(settings(lookup, environment));
      return api;
    },
  };
}
