import type { Observed } from "../../../core/kind";
import { duration } from "../../../core/state/expiry";
import { isEmpty, isRecord, type Properties } from "../../../value";
import { guardScript } from "./guard";

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
