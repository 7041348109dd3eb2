import type { KindName } from "../../provider/identity";
import type { EmulatorOptions } from "../emulator";

/** A kind that podlumi and another provider have, with the arguments for one object in the words of each. */
interface Pair {
  /** podlumi's class. */
  readonly own: KindName;
  /** The other provider's type. */
  readonly type: string;
  /** The arguments of the object with this number. */
  args(number: number): { readonly own: object; readonly other: object };
}

/** Another provider, as a plugin of Pulumi. */
export interface Peer {
  /** The arguments of its provider resource, for an account with this key. */
  settings(apiKey: string): object;
  /** What the emulator has to be like for it. */
  readonly features?: EmulatorOptions["features"];
  readonly kinds: readonly Pair[];
}

const image = "org/worker:1";

/**
 * The providers that `--peer` knows, by the name at the end of their executable, `pulumi-resource-<name>`. To compare
 * another one, add it here, with a pair for each kind that it has in common with podlumi.
 */
export const peers: Record<string, Peer> = {
  runpod: {
    settings: (token) => ({ token }),
    features: { templateArgs: "dockerArgs" },
    // Templates alone, so that the figures of the page stay comparable. test/vendor takes all its kinds through their life.
    kinds: [
      // It refuses a template without a readme.
      {
        own: "Template",
        type: "runpod:index:Template",
        args: (number) => ({
          own: {
            name: `worker${number}`,
            image,
            args: "-v",
            disk: 20,
            env: { LEVEL: "info" },
            readme: "# Worker",
          },
          other: {
            name: `worker${number}`,
            imageName: image,
            containerDiskInGb: 20,
            volumeInGb: 0,
            dockerArgs: "-v",
            env: [{ key: "LEVEL", value: "info" }],
            readme: "# Worker",
          },
        }),
      },
    ],
  },
  /** podlumi's own plugin: shows what the comparison itself adds. */
  podlumi: {
    settings: (apiKey) => ({ apiKey }),
    kinds: [
      {
        own: "NetworkVolume",
        type: "podlumi:index:NetworkVolume",
        args: (number) => both({ name: `data${number}`, size: 50, dataCenter: "EU-RO-1" }),
      },
      {
        own: "Secret",
        type: "podlumi:index:Secret",
        args: (number) => both({ name: `token${number}`, value: `value ${number}` }),
      },
    ],
  },
};

function both(args: object) {
  return { own: args, other: args };
}
