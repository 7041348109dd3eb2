import { badRequest, Problem } from "./problem";

/** The container settings, which pods, endpoints and templates share. */
export interface Container {
  image: string;
  args: string;
  /** GB. */
  disk: number;
  ports: string[];
  env: Record<string, string>;
  registry: string | null;
}

export type ContainerInput = Partial<Container>;

/** (differs, Containers: the default of `disk` is made up, since the contract names none.) */
// assumes: value * *: *args, *disk, *ports, *env, *registry
const DEFAULTS: Omit<Container, "image"> = { args: "", disk: 20, ports: [], env: {}, registry: null };
const KEYS = ["image", "args", "disk", "ports", "env", "registry"] as const;

/** Only the container settings that the request contains. */
export function containerKeys(input: ContainerInput): ContainerInput {
  return Object.fromEntries(
    KEYS.filter((key) => input[key] !== undefined).map((key) => [key, input[key]]),
  ) as ContainerInput;
}

/** Fields of the body win over the template's. `env` is merged key by key (API: Pods, templateId). */
export function withTemplate(input: ContainerInput, template: Container | undefined): ContainerInput {
  if (!template) return containerKeys(input);
  return {
    ...containerKeys(template),
    ...containerKeys(input),
    env: { ...template.env, ...input.env },
  };
}

export function newContainer(input: ContainerInput): Container {
  return { image: "", ...DEFAULTS, ...containerKeys(input) };
}

/** The checks of container settings that a request schema cannot express. */
export class ContainerRules {
  /** For tests: images that no registry has. Requests with such an image are refused. */
  readonly missingImages = new Set<string>();

  constructor(private readonly hasRegistry: (id: string) => boolean) {}

  check(input: ContainerInput): void {
    const port = input.ports?.find((port) => !/^\d{1,5}\/(http|tcp|udp)$/.test(port));
    if (port !== undefined) throw badRequest(`invalid port '${port}': use <port>/<protocol>`);
    if (input.registry && !this.hasRegistry(input.registry))
      throw badRequest(`registry credential '${input.registry}' was not found`);
    if (input.image !== undefined && this.missingImages.has(input.image))
      throw new Problem(422, `image '${input.image}' could not be resolved in its registry`);
  }
}
