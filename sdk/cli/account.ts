import { Api } from "../../provider/client/api";
import { environmentSettings } from "../../provider/config";

/** The account of the environment. */
export function account(): Api {
  return new Api(environmentSettings());
}
