import * as z from "zod";
import { duration, time } from "../../../core/state/expiry";
import { at, propertyPath } from "../../../path";
import { type Failure, invalid } from "../../../schema/failure";
import { update } from "../../../schema/field";
import { partialRule, type Rule } from "../../../schema/rule";
import { isEmpty, isRecord, isThere, type Properties } from "../../../value";
import { isAmd, places } from "../placement";

const atLeast = (least: string) =>
  time.refine((text) => duration(text) >= duration(least), `must be at least ${least}`).optional();

/** A change restarts the container, whose command it is a part of. */
export const selfStop = update(
  z
    .strictObject({
      after: atLeast("5m"),
      idle: atLeast("10m"),
      action: z.enum(["stop", "terminate"]).optional(),
    })
    .refine(({ after, idle }) => after !== undefined || idle !== undefined, "needs after, idle, or both")
    .optional(),
  { cleared: null, clearedKeys: { action: "stop" }, whole: true },
);

/** A rule of pods that stop themselves. */
const guardRule = (needs: readonly string[], check: (inputs: Properties) => Failure | undefined): Rule =>
  partialRule(["selfStop", ...needs], (inputs) => (isRecord(inputs.selfStop) ? check(inputs) : undefined));

/** Only a command that the program gives can be wrapped exactly: nobody knows how the service takes `args` apart, nor what an image has. */
export const selfStopRules: readonly Rule[] = [
  guardRule(["args", "entrypoint", "cmd"], ({ args, entrypoint, cmd }) => {
    if (!isEmpty(entrypoint)) return undefined;
    const more = isEmpty(args) ? "" : " in place of args, and its arguments in cmd";
    const example = isEmpty(cmd) ? 'entrypoint: ["/start.sh"]' : `the image's own before this cmd`;
    return invalid("selfStop", `needs the command of the container in entrypoint${more}, such as ${example}`);
  }),
  guardRule(["templateId", "cmd"], ({ templateId, cmd }) =>
    templateId === undefined || cmd !== undefined
      ? undefined
      : invalid("selfStop", "would take the place of the template's cmd: write that in cmd, or cmd: []"),
  ),
  guardRule(["locked"], ({ locked }) =>
    locked === true
      ? invalid("locked", "keeps the pod from stopping itself: remove it, or selfStop")
      : undefined,
  ),
  guardRule(["gpu", "placements"], (inputs) =>
    isThere(at(inputs, "selfStop", "idle")) && places(inputs).some(isAmd)
      ? invalid("selfStop.idle", "cannot tell whether an AMD GPU works: write after instead")
      : undefined,
  ),
  guardRule(["env"], ({ env }) => {
    const name = Object.keys(isRecord(env) ? env : {}).find((one) => !/^[A-Za-z_]\w*$/.test(one));
    return name === undefined
      ? undefined
      : invalid(
          propertyPath(["env", name]),
          "is lost beside selfStop: some shells pass on only letters, digits and _",
        );
  }),
];
