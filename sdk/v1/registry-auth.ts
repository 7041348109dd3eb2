import type { RegistryAuthArgs } from "../registry-auth";
import type { Parts } from "./mapping";
import { identity, mapping, secret, to } from "./mapping";
import type { Draft } from "./note";
import { text } from "./value";

/** (API: Registry credentials; the bodies and responses of REST v1) */
const table = {
  name: to("name", text),
  username: secret(to("username", text)),
  password: secret(to("password", text)),
  id: identity("credential", "another one, which needs another name"),
};

export const registryAuth = mapping(table, (_v1: Parts<typeof table>, draft: Draft<RegistryAuthArgs>) => {
  for (const key of ["username", "password"] as const) {
    if (draft.args[key] !== undefined) continue;
    draft.note(
      "decide",
      key,
      `is missing, and the service never returns it: give ${key} from your configuration`,
    );
  }
});
