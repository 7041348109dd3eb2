import { basename, delimiter, dirname, resolve } from "node:path";
import { openAccount } from "./account";
import { Bench, type Face, sdks } from "./life";
import { blank, live, type Tell } from "./measure-lives";
import { type Peer, peers } from "./peers";
import type { Life } from "./results";
import { openTunnel } from "./tunnel";

interface Choice {
  /** podlumi's faces to compare with. */
  faces: readonly Face[];
  sizes: number[];
  runs: number;
  /** Milliseconds. */
  latency: number;
}

/** The name of a provider, from the path of its executable. */
export function peerOf(path: string): { name: string; peer: Peer } {
  const name = /^pulumi-resource-(.+?)(\.exe)?$/.exec(basename(path))?.[1] ?? "";
  const peer = peers[name];
  if (peer === undefined)
    throw new Error(
      `--peer takes an executable pulumi-resource-<name>, of ${Object.keys(peers).join(" or ")}: add others to test/bench/peers.ts`,
    );
  return { name, peer };
}

/** Takes the same stacks through their life with faces of podlumi and with another provider, in turn. */
export async function measurePeer(path: string, choice: Choice, tell: Tell): Promise<Life<string>[]> {
  const { name, peer } = peerOf(path);
  const { faces, sizes, latency, runs } = choice;
  const account = await openAccount({ timings: { latency }, features: peer.features });
  const tunnel = await openTunnel(new URL("/", account.env.RUNPOD_GRAPHQL_URL).href);
  const apiKey = String(account.env.RUNPOD_API_KEY);
  const environment = { ...tunnel.env, PATH: [dirname(resolve(path)), process.env.PATH].join(delimiter) };
  const stackOf = (provider: string, size: number) => {
    const face = faces.find((one) => one === provider);
    if (face !== undefined) return Bench.of(account, ownProgram(face, peer, size));
    return Bench.of(account, otherProgram(name, peer, size, apiKey), environment);
  };
  try {
    const lives: Life<string>[] = [];
    for (const size of sizes) {
      const ofThisSize = [...faces, basename(path)].map((provider) => blank<string>(provider, size, latency));
      for (let run = 1; run <= runs; run++) {
        for (const life of ofThisSize) {
          tell(
            `run ${run} of ${runs}: ${size} resources that both have, ${life.provider}, ${latency} ms latency`,
          );
          await live(life, await stackOf(life.provider, size));
        }
      }
      lives.push(...ofThisSize);
    }
    return lives;
  } finally {
    tunnel.close();
    account.close();
  }
}

function ownProgram(face: Face, { kinds }: Peer, size: number): string {
  const resources = pairs(kinds, size).map(
    ({ own, args }, number) => `new sdk.${own}("one${number}", ${JSON.stringify(args(number).own)});`,
  );
  return [`const sdk = require("${sdks[face]}");`, ...resources].join("\n");
}

function otherProgram(name: string, { kinds, settings }: Peer, size: number, apiKey: string): string {
  const resources = pairs(kinds, size).map(
    ({ type, args }, number) =>
      `new pulumi.CustomResource("${type}", "one${number}", ${JSON.stringify(args(number).other)}, { provider });`,
  );
  return [
    'const pulumi = require("@pulumi/pulumi");',
    `const provider = new pulumi.ProviderResource("${name}", "peer", ${JSON.stringify(settings(apiKey))});`,
    ...resources,
  ].join("\n");
}

function pairs(kinds: Peer["kinds"], size: number): Peer["kinds"] {
  return Array.from({ length: size }, (_, number) => kinds[number % kinds.length] as Peer["kinds"][number]);
}
