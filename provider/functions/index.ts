import { account } from "./account";
import { billing } from "./billing";
import { catalog } from "./catalog";
import type { Definitions } from "./definition";
import { endpoints } from "./endpoints";
import { logs } from "./logs";
import { lookups } from "./lookups";

/** All functions. They only read. */
export const functions: Definitions = {
  ...catalog,
  ...lookups,
  ...billing,
  ...endpoints,
  ...account,
  ...logs,
};
