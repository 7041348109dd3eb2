import { markVariable } from "../../core/mark/mark";
import { expiryVariable } from "../../core/state/expiry";
import { isAlwaysOfPlatform } from "../../core/state/platform";
import { at, type Path } from "../../path";
import { type Failure, invalid } from "../../schema/failure";
import { type Rule, rule } from "../../schema/rule";
import { isEmpty, isRecord, isThere, type Properties } from "../../value";
import { containerFields, holdsMount } from ".";

/**
 * Programs must not set the mark or the time limit, and templates must not pass either on. A variable that keeps the platform's
 * value would differ, and restart the container, at every `pulumi up`. A container gets `NAME=value`, so a name ends at its first `=`.
 */
const namesOfVariables: Rule = rule(["env"], ({ env }) =>
  Object.keys(isRecord(env) ? env : {}).flatMap((name) => {
    const reason = wrongOfName(name);
    return reason === undefined ? [] : invalid(["env", name], reason);
  }),
);

function wrongOfName(name: string): string | undefined {
  if (name === markVariable || name === expiryVariable) return "is podlumi's own: remove it";
  if (isAlwaysOfPlatform(name)) return "has the platform's value in every container: remove it";
  return name.includes("=") ? 'must have no "=" in its name, which would end there' : undefined;
}

const oneCommand: Rule = rule(["args", "entrypoint", "cmd"], ({ args, entrypoint, cmd }) =>
  args !== undefined && (entrypoint !== undefined || cmd !== undefined)
    ? { property: "args", reason: "says the same as entrypoint and cmd: remove it, or remove these" }
    : undefined,
);

/** Rules of everything that has {@link containerFields}. */
export const settingsRules: readonly Rule[] = [namesOfVariables, oneCommand];

/** A pod has more than 50 variables, with those of podlumi and of its template. (API: Pods, create) */
export function variablesFailure(
  inputs: Properties,
  hasMark: boolean,
  ofTemplate?: Properties,
): Failure | undefined {
  const count = new Set([inputs.env, ofTemplate].flatMap((env) => Object.keys(Object(env)))).size;
  const own = [
    ...(hasMark ? ["podlumi's mark"] : []),
    ...(inputs.expiresAfter === undefined ? [] : ["the time limit of expiresAfter"]),
  ];
  const most = 50 - own.length;
  if (count <= most) return undefined;
  const why = own.length === 0 ? "" : `: a pod has room for 50, also for ${own.join(" and ")}`;
  const from = ofTemplate === undefined ? "" : " with those of its template";
  return { property: "env", reason: `takes at most ${most} variables, not ${count}${from}${why}` };
}

/** Bytes of the largest request that creates a pod. (API: Pods, create) */
const largestRequest = 102_400;

/** The service does not take the request for a new pod, which also has a little more than this. */
export function sizeFailure({ image, args, entrypoint, cmd, env }: Properties): Failure | undefined {
  const bytes = Buffer.byteLength(JSON.stringify({ image, args, entrypoint, cmd, env }));
  if (bytes <= largestRequest) return undefined;
  const reason = `makes the request for a new pod larger than the ${largestRequest} bytes that the service takes: it has ${bytes}`;
  return { property: "env", reason: `${reason}. Put large files into the image, or on a network volume` };
}

/**
 * `compute` must have either gpu or cpu, and at most one CUDA constraint. `path` is its place in the inputs, and `others` names what may
 * stand in place of gpu. (API: Pods, create; Serverless, create)
 */
export function computeFailure(compute: Properties, path: Path = [], others = "cpu"): Failure | undefined {
  const { gpu, cpu } = compute;
  if (isThere(gpu) && isThere(cpu)) return invalid([...path, "cpu"], "give gpu or cpu, not both");
  if (gpu === undefined && cpu === undefined)
    return invalid([...path, "gpu"], `is required, or ${others}: give one of them`);
  const [allowed, least] = [at(gpu, "allowedCudaVersions"), at(gpu, "minCudaVersion")];
  const reason = "give allowedCudaVersions or minCudaVersion, not both: a list or a floor";
  const isTwice = isThere(allowed) && !isEmpty(allowed) && isThere(least);
  return isTwice ? invalid([...path, "gpu", "minCudaVersion"], reason) : undefined;
}

/** A revision is of no use without its template. */
export const templateRule: Rule = rule(["templateId", "templateRevision"], (inputs) =>
  inputs.templateRevision !== undefined && inputs.templateId === undefined
    ? { property: "templateRevision", reason: "is of no use alone: give the templateId that it belongs to" }
    : undefined,
);

/** Rules of every pod, single or in a cluster. (API: Pods, create; Clusters, create) */
export const podRules = (hasMark: boolean): readonly Rule[] => [
  ...settingsRules,
  rule(["mounts"], ({ mounts }) =>
    holdsMount(mounts, "persistent") && holdsMount(mounts, "network")
      ? invalid("mounts", "give persistent or network storage, not both")
      : undefined,
  ),
  rule(["env", "expiresAfter"], (inputs) => variablesFailure(inputs, hasMark)),
  templateRule,
];

/** Arguments that do not go beside a template of a cluster. A time limit is a variable. (API: Clusters, create) */
export const besideTemplate = [...Object.keys(containerFields), "mounts", "expiresAfter"];

/** A setting of a cluster from a template. */
export function besideTemplateFailure(inputs: Properties): Failure | undefined {
  const property = besideTemplate.find((name) => inputs[name] !== undefined);
  const reason = "a cluster from a template has no settings of its own: remove it, or remove templateId";
  return property === undefined ? undefined : { property, reason };
}

/** A rule of pods and endpoints. (API: Pods, create; Serverless, create) */
export const imageRule: Rule = rule(["image", "templateId"], ({ image, templateId }) =>
  image === undefined && templateId === undefined
    ? invalid("image", "is required, or a templateId whose template has one")
    : undefined,
);
