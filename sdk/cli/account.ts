import { Api } from "../../provider/client/api";
import { systemClock } from "../../provider/client/clock";
import { nameOf } from "../../provider/client/hearing";
import { type Send, transport } from "../../provider/client/transport";
import { environmentSettings } from "../../provider/config";
import { tell } from "./output";

/** A client for the account that the environment variables name. */
export function account(): Api {
  return new Api(environmentSettings(), systemClock, notSilently(transport()));
}

/** Milliseconds without an answer after which a command says what it waits for. */
const silence = 3_000;

/** Tells of the first request that is slow. A connection may last for a minute without an answer. */
function notSilently(send: Send): Send {
  let isTold = false;
  return (request) => {
    const slow = setTimeout(() => {
      if (!isTold) tell(`podlumi: waiting for the response to ${nameOf(request)}`);
      isTold = true;
    }, silence);
    return send(request).finally(() => clearTimeout(slow));
  };
}
