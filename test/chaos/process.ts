import { type Clock, systemClock } from "../../provider/client/clock";
import { transport } from "../../provider/client/transport";
import type { ExportState } from "../../provider/core/call/own-state";
import { Run } from "../../provider/core/call/run";
import type { KindName } from "../../provider/resources";
import { type Face, type FaceName, faceOf } from "./face";

/** The kinds that scenarios use. */
export type Kind = Exclude<KindName, "SshKeys">;

/** The clock of a scenario runs this many times faster than real time. */
const speed = 100;
const began = Date.now() - performance.now() * speed;
const now = () => began + performance.now() * speed;

/** The clock of a scenario, which service and provider share. A pause of a minute takes less than a second. */
export const fastClock = {
  now,
  sleep: (milliseconds: number, signal?: AbortSignal) =>
    systemClock.sleep(milliseconds / speed, signal) as Promise<void>,
};

const never = new Promise<never>(() => undefined);

/** The provider process of a command. After a kill, nothing that it does reaches the service or the engine. */
export class ProviderProcess {
  killed = false;
  cancelled = false;
  private readonly face: Face;
  private die!: (error: Error) => void;
  private readonly death = new Promise<never>((_resolve, reject) => {
    this.die = reject;
  });

  /** `providerId` is the id of the stack's provider resource. */
  constructor(face: FaceName, providerId: string, environment: NodeJS.ProcessEnv, exported: ExportState) {
    this.death.catch(() => undefined);
    const wire = transport();
    const clock: Clock = {
      ...systemClock,
      now,
      sleep: (milliseconds, signal) => this.whileAlive(() => fastClock.sleep(milliseconds, signal)),
    };
    const run = new Run(environment, exported, clock, (request) => this.whileAlive(() => wire(request)));
    this.face = faceOf(face, run, providerId);
  }

  kill(): void {
    this.killed = true;
    this.die(new Error("the provider process ended"));
  }

  /** Ctrl-C: the engine begins nothing new, and tells the provider. */
  cancel(): void {
    this.cancelled = true;
    this.face.cancel();
  }

  /** A call by the engine. It fails when the process dies before it answers. How far the call got is unknown then. */
  async call<T>(call: (face: Face) => Promise<T>): Promise<T> {
    if (this.cancelled) throw new Error("the command was cancelled");
    return Promise.race([this.killed ? this.death : call(this.face), this.death]);
  }

  /** What a dead process waits for never settles. */
  private async whileAlive<T>(act: () => Promise<T>): Promise<T> {
    if (this.killed) return never;
    const answer = act();
    await Promise.allSettled([answer]);
    return this.killed ? never : answer;
  }
}
