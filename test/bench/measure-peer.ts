import { basename, delimiter, dirname, resolve } from "node:path";
import { openAccount } from "./account";
import { Bench, type Face } from "./life";
import { blank, live, type Tell } from "./measure-lives";
import { type Peer, peers } from "./peers";
import { mixed } from "./program";
import type { Life } from "./results";

interface Choice {
  /** podlumi's faces to compare with. */
  faces: readonly Face[];
  sizes: number[];
  runs: number;
  /** Milliseconds. */
  latency: number;
}

/** The name of a provider, from the path of its executable. */
export function peerOf(path: string): Peer {
  const name = /^pulumi-resource-(.+?)(\.exe)?$/.exec(basename(path))?.[1] ?? "";
  const peer = peers[name];
  if (peer === undefined)
    throw new Error(
      `--peer takes an executable pulumi-resource-<name>, of ${Object.keys(peers).join(" or ")}: add others to test/bench/peers.ts`,
    );
  return peer;
}

/** Takes the same stacks through their life with faces of podlumi and with another provider, in turn. */
export async function measurePeer(path: string, choice: Choice, tell: Tell): Promise<Life<string>[]> {
  const peer = peerOf(path);
  const { faces, sizes, latency, runs } = choice;
  const account = await openAccount({ timings: { latency }, features: peer.features });
  const environment = { PATH: [dirname(resolve(path)), process.env.PATH].join(delimiter) };
  const stackOf = (provider: string, size: number) => {
    const face = faces.find((one) => one === provider);
    if (face !== undefined) return Bench.create(account, face, mixed(size));
    return Bench.of(account, peer.program(size, account.env), environment);
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
    account.close();
  }
}
