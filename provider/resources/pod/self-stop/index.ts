import * as z from "zod";
import type { Observed } from "../../../core/kind";
import { at } from "../../../path";
import { duration, time } from "../../../schema/duration";
import { type Failure, invalid } from "../../../schema/failure";
import { update } from "../../../schema/field";
import { type Rule, rule } from "../../../schema/rule";
import { isEmpty, isRecord, isThere, type Properties } from "../../../value";
import { isAmd, places } from "../placement";
import { guardScript } from "./guard";

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
  rule(["selfStop", ...needs], (inputs) => (isRecord(inputs.selfStop) ? check(inputs) : undefined));

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
      : invalid(["env", name], "is lost beside selfStop: some shells pass on only letters, digits and _");
  }),
];

/** The fourth word of a guarded entrypoint, which no other release may change. */
const guardName = "podlumi-self-stop";

const settings = /^after=(\w*) idle=(\w*) action=(stop|terminate) entrypoint=(\d+)$/;

const command = ["entrypoint", "cmd"] as const;

/** A request body with the guard before the command that the `inputs` give, where it sets one of both. */
export function guarded({ selfStop, ...sent }: Properties, inputs: Properties): Properties {
  const isSet = selfStop !== undefined || (isRecord(inputs.selfStop) && command.some((name) => name in sent));
  if (!isSet) return sent;
  const [entrypoint, cmd] = command.map((name) => (inputs[name] ?? []) as string[]) as [string[], string[]];
  // Without a guard, the command is the program's own again.
  if (!isRecord(inputs.selfStop)) return isEmpty(inputs.args) ? { ...sent, entrypoint, cmd } : sent;
  return { ...sent, entrypoint: guardOf(inputs.selfStop, entrypoint.length), cmd: [...entrypoint, ...cmd] };
}

function guardOf({ after, idle, action = "stop" }: Properties, words: number): string[] {
  const said = `after=${after ?? ""} idle=${idle ?? ""} action=${action} entrypoint=${words}`;
  const seconds = [after, idle].map((time) => String(time === undefined ? 0 : duration(String(time)) / 1000));
  return ["/bin/sh", "-c", guardScript, guardName, said, ...seconds, String(action)];
}

/** A pod with `selfStop` and the program's command, where a guard of any release stands before that. */
export function unguarded<Pod extends Observed>(pod: Pod): Pod {
  const [guard, words] = [pod.entrypoint, pod.cmd];
  if (!Array.isArray(guard) || !Array.isArray(words) || guard[3] !== guardName) return pod;
  const [, after, idle, action, count] = settings.exec(String(guard[4])) ?? [];
  if (count === undefined) return pod;
  const [entrypoint, cmd] = [words.slice(0, Number(count)), words.slice(Number(count))];
  const selfStop = { ...(after && { after }), ...(idle && { idle }), action };
  return { ...pod, entrypoint, cmd, args: JSON.stringify({ entrypoint, cmd }), selfStop };
}
