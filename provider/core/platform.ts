import { expiryVariable } from "./expiry";
import { markVariable } from "./mark";
import { isRecord, type Properties } from "./value";

/** Variables that the platform, or podlumi, adds to those of a program. (API: Behaviours, read-back and drift) */
// assumes: variable * *
const added = new RegExp(
  `^(RUNPOD_.*|PUBLIC_KEY|JUPYTER_PASSWORD|PORT|PORT_HEALTH|${markVariable}|${expiryVariable})$`,
);

/** Variables that the platform sets in each container. Only it knows their values, so it ignores those of a program. */
// assumes: variable * *
const always = /^RUNPOD_(POD_ID|POD_HOSTNAME|DC_ID|PUBLIC_IP|TCP_PORT_\d+|GPU_COUNT|CPU_COUNT|MEM_GB)$/;

export function isAlwaysOfPlatform(name: string): boolean {
  return always.test(name);
}

/** The variables that only a person or a program can have set. */
export function withoutPlatform(env: unknown): Properties {
  if (!isRecord(env)) return {};
  return Object.fromEntries(Object.entries(env).filter(([name]) => !added.test(name)));
}
