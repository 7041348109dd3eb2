import type { Clock } from "../../provider/client/clock";
import { ExpectedError } from "../../provider/client/errors";
import type { HttpResponse, Request } from "../../provider/client/transport";
import type { Settings } from "../../provider/config";
import { Run } from "../../provider/core/call/run";
import { handler } from "../../provider/core/handler";
import { providerOf } from "../../provider/identity";
import { definitions } from "../../provider/resources";
import type { Properties } from "../../provider/value";
import { samples } from "../kinds";
import { stack, urnOf } from "./mark";
import type { Made, Recorder } from "./recorder";
import type { Step } from "./steps";

/** Milliseconds for which lists and reads are looked at after a change, and the first pause between two looks. */
const looks = { most: 60_000, first: 500 };

/** An id that no object has. */
const missing = "acceptance-missing";

/** What went on in a step beside its requests. */
export interface Outcome {
  readonly step: string;
  /** Where its kind stands in `provider/resources`. */
  readonly folder: string;
  /** Why the life ended early. */
  readonly failed?: string;
  /** What a second `up` would change, although nothing has changed. */
  readonly unstable: readonly string[];
}

export interface Setting {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly recorder: Recorder;
}

/** The stack's state: it holds no object. */
const noObjects = async () => ({ deployment: { resources: [{ id: stack.id }] } });

/** A provider like that of a new process. */
export function newRun({ settings, clock, recorder }: Setting): Run {
  const environment = {
    RUNPOD_API_KEY: settings.apiKey,
    RUNPOD_API_URL: settings.apiUrl,
    RUNPOD_GRAPHQL_URL: settings.graphqlUrl,
    RUNPOD_QUEUE_URL: settings.queueUrl,
  };
  return new Run(environment, noObjects, clock, recorder.send);
}

/** Takes one object through its life, as the engine would: check, create, refresh, change, refresh, delete. */
export async function live(step: Step, setting: Setting, run: Run): Promise<Outcome> {
  const { recorder } = setting;
  const probe = prober(setting);
  recorder.step = step.name;
  recorder.after = (request, answer, made) => follow(request, answer, made, setting, probe);
  const unstable: string[] = [];
  let failed: string | undefined;
  const object = handler(definitions[step.kind], run);
  const list = samples[step.kind].contract[0].replace("/v2", "");
  const lives: { id: string; remove: () => Promise<void> }[] = [];
  try {
    for (const name of step.kind === "Template" ? ["acceptance", "acceptance-two"] : ["acceptance"]) {
      const own = {
        __provider: providerOf(step.kind),
        __urn: urnOf(step.kind, name),
        __providerId: stack.id,
      };
      const inputs = await checked(object, undefined, { ...step.inputs, ...own });
      const made = await object.create(inputs).catch((error: Unready) => error);
      const { id } = made;
      let state: Properties = { ...(made instanceof Error ? made.properties : made.outs) };
      if (id !== undefined) lives.push({ id, remove: () => object.delete(id, state) });
      if (id === undefined || made instanceof Error) throw made;
      const again = await object.read(id, state);
      state = { ...again.props };
      unstable.push(...(await differences(object, id, state, inputs)));
      if (name === "acceptance") await refusals(step, recorder, probe, id, list);
      const changed = await checked(object, inputs, { ...inputs, ...step.change });
      state = { ...(await object.update(id, state, changed)).outs };
      unstable.push(...(await differences(object, id, { ...(await object.read(id, state)).props }, changed)));
    }
    await probe("GET", list);
  } catch (error) {
    failed = (error as Error).message;
  }
  for (const { id, remove } of lives.reverse()) {
    await remove().catch((error: Error) => {
      failed ??= error.message;
    });
    await probe("DELETE", `${list}/${id}`);
  }
  recorder.after = async () => {};
  return { step: step.name, folder: folderOf(step.kind), unstable, failed };
}

/** `network-volume` for `NetworkVolume`. */
const folderOf = (kind: string) =>
  kind.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

/** What a create fails with. With an id, the object exists, but is not ready. */
type Unready = Error & { readonly id?: string; readonly properties?: Properties };

type Handler = ReturnType<typeof handler>;

async function checked(object: Handler, olds: Properties | undefined, news: Properties): Promise<Properties> {
  const { inputs, failures = [] } = await object.check(olds, news);
  if (failures.length > 0)
    throw new ExpectedError(failures.map(({ reason }) => reason).join(", "), "PODLUMI-INVALID");
  return inputs;
}

/** What podlumi would change in an object that nobody has changed. */
async function differences(
  object: Handler,
  id: string,
  state: Properties,
  inputs: Properties,
): Promise<string[]> {
  return [...(await object.diff(id, state, inputs)).fields.keys()];
}

type Probe = (
  method: Request["method"],
  path: string,
  body?: unknown,
  keyless?: true,
) => Promise<HttpResponse>;

/** Sends requests of the acceptance itself, below the address of REST. */
function prober({ settings, recorder }: Setting): Probe {
  return (method, path, body, keyless) =>
    recorder.probe({
      call: `${method} ${path}`,
      effect: "read",
      method,
      url: new URL(`${settings.apiUrl}${path}`),
      headers: {
        accept: "application/json, application/problem+json",
        ...(!keyless && { authorization: `Bearer ${settings.apiKey}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
}

/** After podlumi has made or deleted an object: when lists and reads show it. */
async function follow(
  { method, url }: Request,
  { status }: HttpResponse,
  made: Made | undefined,
  { settings, clock }: Setting,
  probe: Probe,
): Promise<void> {
  const path = url.href.startsWith(settings.apiUrl) ? url.href.slice(settings.apiUrl.length) : "";
  const [, list, deleted] = /^(.*)\/([^/?]+)$/.exec(path) ?? [];
  const look = made?.list
    ? made
    : method === "DELETE" && status < 300 && list && deleted
      ? { list, id: deleted }
      : undefined;
  if (look === undefined) return;
  const expected = made !== undefined;
  const began = clock.now();
  for (let pause = looks.first; ; pause *= 2) {
    const listed = (await probe("GET", look.list)).body.includes(`"${look.id}"`);
    const found = (await probe("GET", `${look.list}/${look.id}`)).status < 300;
    if ((listed === expected && found === expected) || clock.now() - began > looks.most) return;
    await clock.sleep(pause);
  }
}

/** What the service refuses, and how. Nothing here can make anything that costs money. */
async function refusals(
  step: Step,
  recorder: Recorder,
  probe: Probe,
  id: string,
  list: string,
): Promise<void> {
  await probe("GET", `${list}/${missing}`);
  await probe("DELETE", `${list}/${missing}`);
  await probe("POST", list, {});
  if (step.kind !== "RegistryAuth") await probe("PATCH", `${list}/${id}`, { bogus: true });
  const create = recorder.lastCreate(list);
  // The body has the mark. So if the service accepts a name twice, the sweep finds the second object.
  if (definitions[step.kind].naming?.unique && create !== undefined) await probe("POST", list, create);
}

/** What every interface has in common, and the lists of the catalog. Costs nothing. */
export async function introduce(setting: Setting): Promise<void> {
  const probe = prober(setting);
  setting.recorder.step = "introduction";
  await probe("GET", "/pods", undefined, true);
  await probe("GET", "/acceptance-nowhere");
  await probe("PUT", "/pods", {});
  for (const path of ["/pods", "/clusters", "/serverless", "/templates", "/network-volumes", "/registries"])
    await probe("GET", path);
  for (const path of ["/registries/delegations", "/account/ssh-keys", "/account/secrets"])
    await probe("GET", path);
  for (const path of ["/catalog/gpus", "/catalog/cpus", "/catalog/datacenters", "/billing?lastN=1"])
    await probe("GET", path);
}
