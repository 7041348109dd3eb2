import type { Emulator } from "../../sdk/emulator/service";
import { endpointByHand } from "../chaos/scenario";
import { type Seen, seen } from "./account";
import type { Judge } from "./judge";
import type { Stage } from "./scenario";
import type { Stack } from "./stack";

/** Persons who use the console beside the stacks. */
export class Persons {
  /** The ids of the endpoints that they have made with volumes of the stacks. */
  private readonly users: string[] = [];

  constructor(
    private readonly emulator: Emulator,
    private readonly judge: Judge,
    private readonly history: string[],
  ) {}

  /** Does something to an object of a stack, if it has one. Returns whether its state is behind now. */
  act({ what, which }: NonNullable<Stage["person"]>, stack: Stack): boolean {
    const held = stack.ids();
    const own = [...seen(this.emulator).values()].filter(({ id }) => held.has(id));
    if (what === "uses") {
      const volume = own.find(({ kind }) => kind.endsWith("Volume"));
      if (volume !== undefined) this.use(volume);
      return false;
    }
    const one = own[which % own.length];
    return one !== undefined && this.touch(what, one);
  }

  /** Makes an endpoint that has a volume. */
  private use({ id: volume, kind }: Seen): void {
    const volumes = kind === "GlobalVolume" ? "globalVolumes" : "networkVolumes";
    const { id } = this.emulator.service.endpoints.create({ ...endpointByHand, [volumes]: [volume] });
    this.users.push(id);
    this.judge.byHand.add(id);
    this.history.push(`a person makes the endpoint ${id}, which has the ${kind} ${volume}`);
  }

  private touch(what: "edits" | "deletes", one: Seen): boolean {
    const { id, kind, name } = one;
    const touched = deeds(this.emulator)[what][kind];
    try {
      touched?.(one);
    } catch (refusal) {
      this.history.push(`the service refuses that a person ${what} the ${kind} ${name} (${id}): ${refusal}`);
      return false;
    }
    if (touched !== undefined) this.history.push(`a person ${what} the ${kind} ${name} (${id})`);
    return touched !== undefined;
  }

  /** Deletes the endpoints that no stack has adopted and deleted. */
  endUse(): void {
    const there = seen(this.emulator);
    for (const id of this.users.splice(0)) if (there.has(id)) this.emulator.service.endpoints.delete(id);
  }
}

type Deeds = Partial<Record<Seen["kind"], (one: Seen) => unknown>>;

/** What a person does in the console to an object of each kind. */
function deeds({ service }: Emulator): Record<"edits" | "deletes", Deeds> {
  const { volumes, globalVolumes, pods, endpoints, templates, secrets, registries, clusters } = service;
  const name = "by hand";
  return {
    edits: {
      NetworkVolume: ({ id, object }) => volumes.update(id, { size: Number(object.size) + 10 }),
      GlobalVolume: ({ id }) => globalVolumes.update(id, { name: "by-hand" }),
      Pod: ({ id }) => pods.update(id, { name }),
      ServerlessEndpoint: ({ id }) => endpoints.update(id, { image: "org/app:9" }),
      Template: ({ id }) => templates.update(id, { image: "org/app:9" }),
      Secret: ({ id }) => secrets.update(id, { value: "changed by hand" }),
      Cluster: ({ id }) => clusters.update(id, { name }),
    },
    deletes: {
      NetworkVolume: ({ id }) => volumes.delete(id),
      GlobalVolume: ({ id }) => globalVolumes.delete(id),
      Pod: ({ id }) => pods.delete(id),
      ServerlessEndpoint: ({ id }) => endpoints.delete(id),
      Template: ({ id }) => templates.delete(id),
      Secret: ({ id }) => secrets.delete(id),
      RegistryAuth: ({ id }) => registries.delete(id),
      Cluster: ({ id }) => clusters.delete(id),
    },
  };
}
