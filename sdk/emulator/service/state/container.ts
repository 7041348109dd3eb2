import { z } from "zod";
import { badRequest, Problem } from "./problem";

/** The command of a container: the image's own where a list is empty. */
interface Command {
  entrypoint: string[];
  cmd: string[];
}

/** The container settings, which pods, endpoints and templates share. */
export interface Container {
  image: string;
  /** Words for the entrypoint, or a {@link Command} as JSON. */
  args: string;
  /** GB. */
  disk: number;
  ports: string[];
  env: Record<string, string>;
  registry: string | null;
}

export type ContainerInput = Partial<Container & Command>;

/** A container, as answers show it. */
export type ContainerView = Container & Command;

/** (differs, Containers: the default of `disk` is made up, since the contract names none.) */
// assumes: value * *: *args, *disk, *ports, *env, *registry
const DEFAULTS: Omit<Container, "image"> = { args: "", disk: 20, ports: [], env: {}, registry: null };
const KEYS = ["image", "args", "disk", "ports", "env", "registry"] as const;

/** Only the container settings that the request contains. `present`: those that it changes. */
export function containerKeys(input: ContainerInput, present?: Container): Partial<Container> {
  return only({ ...input, args: argsOf(input, present) });
}

function only(settings: Partial<Container>): Partial<Container> {
  const given = KEYS.filter((key) => settings[key] !== undefined);
  return Object.fromEntries(given.map((key) => [key, settings[key]])) as Partial<Container>;
}

/** `entrypoint` and `cmd` are kept in `args`, as JSON. All three may be given where they say the same. (API: Containers) */
// assumes: value * *: *args, *entrypoint, *cmd
function argsOf({ args, entrypoint, cmd }: ContainerInput, present?: Container): string | undefined {
  if (entrypoint === undefined && cmd === undefined) return args;
  const before = commandOf(args ?? present?.args ?? "");
  const command = { entrypoint: entrypoint ?? before.entrypoint, cmd: cmd ?? before.cmd };
  if (args !== undefined) {
    if (JSON.stringify(before) !== JSON.stringify(command))
      throw badRequest("args says otherwise than entrypoint and cmd");
    return args;
  }
  return command.entrypoint.length + command.cmd.length === 0 ? "" : JSON.stringify(command);
}

function commandOf(args: string): Command {
  const words = { entrypoint: [], cmd: args.split(/\s+/).filter((word) => word !== "") };
  try {
    return command.parse(JSON.parse(args));
  } catch {
    return words;
  }
}

const command = z.strictObject({
  entrypoint: z.array(z.string()).default([]),
  cmd: z.array(z.string()).default([]),
});

export function containerView(container: Container): ContainerView {
  return structuredClone({ ...container, ...commandOf(container.args) });
}

/** Fields of the body win over the template's. `env` is merged key by key (API: Pods, templateId). */
export function withTemplate(
  input: ContainerInput,
  template: Container | undefined,
  present?: Container,
): Partial<Container> {
  if (!template) return containerKeys(input, present);
  return {
    ...only(template),
    ...containerKeys(input, template),
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
