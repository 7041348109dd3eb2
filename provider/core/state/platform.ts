import { ExpectedError } from "../../client/errors";
import { filtered, isRecord, type Properties } from "../../value";
import { withoutVariables } from "../../words/requests";
import { markVariable } from "../mark/mark";
import { expiryVariable } from "./expiry";

/** Variables that the platform, or podlumi, adds to those of a program. (API: Behaviours, read-back and drift) */
// assumes: variable * *
const added = new RegExp(`^(RUNPOD_.*|PUBLIC_KEY|JUPYTER_PASSWORD|${markVariable}|${expiryVariable})$`);

/** The variables that the platform gives a load balancer at its creation. With another value, they are a program's. */
// assumes: variable * /serverless*
export const ofLoadBalancer: Readonly<Record<string, string>> = { PORT: "80", PORT_HEALTH: "80" };

/** Variables that the platform sets in each container. Only it knows their values, so it ignores those of a program. */
// assumes: variable * *
const always = /^RUNPOD_(POD_ID|POD_HOSTNAME|DC_ID|PUBLIC_IP|TCP_PORT_\d+|GPU_COUNT|CPU_COUNT|MEM_GB)$/;

export function isAlwaysOfPlatform(name: string): boolean {
  return always.test(name);
}

/** The variables that an update sends again, since it replaces all of them. Fails without them: the mark and the time limit would go. */
export function toSendAgain(env: unknown): Properties {
  if (!isRecord(env)) throw new ExpectedError(withoutVariables, "PODLUMI-UNREADABLE");
  return filtered(env, (name) => !isAlwaysOfPlatform(name));
}

/** The variables that only a person or a program can have set. */
export function withoutPlatform(env: unknown): Properties {
  if (!isRecord(env)) return {};
  return filtered(env, (name, value) => !added.test(name) && ofLoadBalancer[name] !== value);
}
