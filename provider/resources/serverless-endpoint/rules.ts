import { at } from "../../path";
import { invalid } from "../../schema/failure";
import { objectRule, type Rule, rule, wholeRule } from "../../schema/rule";
import { isEmpty, isThere, isUnknown, type Properties } from "../../value";
import { computeFailure, imageRule, settingsRules, templateRule } from "../container/rules";
import { defaultWorkers } from "./outputs";
import { scalesWithoutIdling } from "./request";

// assumes: value * /serverless*: *workers.*
export const workerDefaults = { ...defaultWorkers, idleTimeout: 10 };

/** The workers that the program asks for. An adopted endpoint keeps what the program leaves out, so no default holds. */
function workersAskedFor({ workers, adopt }: Properties): Partial<typeof workerDefaults> {
  return { ...(adopt === undefined && workerDefaults), ...(workers as object) };
}

/** (API: Serverless, create and update) */
export const endpointRules: readonly Rule[] = [
  rule(["gpu", "cpu"], (inputs) => computeFailure(inputs)),
  imageRule,
  ...settingsRules,
  objectRule(
    "too",
    rule(["globalVolumes", "networkVolumes"], ({ globalVolumes, networkVolumes }) =>
      isEmpty(globalVolumes) || isEmpty(networkVolumes)
        ? undefined
        : invalid("globalVolumes", "give networkVolumes or globalVolumes, not both"),
    ),
  ),
  rule(["globalVolumes", "cpu"], ({ globalVolumes, cpu }) =>
    isEmpty(globalVolumes) || cpu === undefined
      ? undefined
      : invalid("globalVolumes", "is for GPU endpoints only: remove it, or give gpu instead of cpu"),
  ),
  rule(["type", "scaling"], ({ type, scaling }) => {
    const by = at(scaling, "type");
    return type === "LOAD_BALANCER" && by !== "REQUEST_COUNT" && !isUnknown(by)
      ? invalid("scaling.type", 'a LOAD_BALANCER endpoint has no queue to wait in: scale on "REQUEST_COUNT"')
      : undefined;
  }),
  rule(["type", "scaling", "workers"], (inputs) =>
    scalesWithoutIdling(inputs) && isThere(at(inputs, "workers", "idleTimeout"))
      ? invalid(
          "workers.idleTimeout",
          'does not apply to a QUEUE endpoint that scales on REQUEST_COUNT: remove it, or scale on "QUEUE_DELAY"',
        )
      : undefined,
  ),
  objectRule(
    "too",
    rule(["workers"], (inputs) => {
      const { min = 0, max = Number.POSITIVE_INFINITY } = workersAskedFor(inputs);
      const why = at(inputs, "workers", "max") === undefined ? ", its default: set both" : "";
      return min > max
        ? invalid("workers.min", `must not be above workers.max: ${min} is more than ${max}${why}`)
        : undefined;
    }),
  ),
  templateRule,
  rule(["type", "verify"], ({ type, verify }) =>
    type === "LOAD_BALANCER" && verify !== undefined
      ? invalid(
          "verify",
          'a LOAD_BALANCER endpoint has no queue that could take a job: remove it, or set waitFor to "READY"',
        )
      : undefined,
  ),
  rule(["workers", "verify"], (inputs) =>
    inputs.verify !== undefined && at(inputs, "workers", "max") === 0
      ? invalid("verify", "there is no worker that could do the job while workers.max is 0")
      : undefined,
  ),
  rule(["type", "workers", "waitFor"], (inputs) => {
    const orVerify = inputs.type === "QUEUE" ? ", or use verify, whose job starts a worker" : "";
    return inputs.waitFor === "READY" && workersAskedFor(inputs).min === 0
      ? invalid(
          "waitFor",
          `there may be no worker to wait for while workers.min is 0, its default: set it to 1 or more${orVerify}`,
        )
      : undefined;
  }),
  wholeRule(["cpu"], ({ cpu }) =>
    Array.isArray(cpu) && new Set(cpu.map((item) => `${item.id} ${item.vcpuCount}`)).size < cpu.length
      ? invalid("cpu", "the same selection stands twice: remove one")
      : undefined,
  ),
];
