import { Api } from "../../provider/client/api";
import { environmentSettings } from "../../provider/config";

/** A client for the account that the environment variables name. */
export function account(): Api {
  return new Api(environmentSettings());
}
