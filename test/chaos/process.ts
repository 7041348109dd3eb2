import { type Clock, systemClock } from "../../provider/client/clock";
import { transport } from "../../provider/client/transport";
import { endRun } from "../../provider/core/end";
import { Run } from "../../provider/core/run";
import type { Pulumi } from "../../provider/engine/stacks";
import type { KindName } from "../../provider/identity";
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

/** A promise that never settles. */
const never = () => new Promise<never>(() => undefined);

/**
 * The provider processes of a command: one for each face that a resource needs. They die together. After a kill,
 * nothing that they do reaches the service or the engine.
 */
export class ProviderProcess {
  private dead = false;
  private interrupted = false;
  private readonly deaths: (() => void)[] = [];
  private readonly started = new Map<FaceName, { readonly face: Face; readonly run: Run }>();

  constructor(
    private readonly environment: NodeJS.ProcessEnv,
    private readonly random: () => number,
    private readonly pulumi: Pulumi,
  ) {}

  kill(): void {
    this.dead = true;
    for (const die of this.deaths) die();
  }

  /** Ctrl-C: the engine begins nothing new, and tells the providers. */
  cancel(): void {
    this.interrupted = true;
    for (const { face } of this.started.values()) face.cancel();
  }

  get killed(): boolean {
    return this.dead;
  }

  get cancelled(): boolean {
    return this.interrupted;
  }

  /** A call by the engine. It fails when the process dies before it answers. `stackId` is the id of its provider. */
  call<T>(name: FaceName, stackId: string, call: (face: Face) => Promise<T>): Promise<T> {
    if (this.interrupted) throw new CancelledError("the command was cancelled");
    return this.untilDeath(() => call(this.start(name, stackId)));
  }

  /** The work of the provider when the engine interrupts it at the end of a command. */
  end(): Promise<unknown> {
    return this.untilDeath(() => Promise.all([...this.started.values()].map(({ run }) => endRun(run))));
  }

  private start(name: FaceName, stackId: string): Face {
    const known = this.started.get(name);
    if (known !== undefined) return known.face;
    const wire = transport();
    const clock: Clock = {
      now,
      random: this.random,
      sleep: (milliseconds, signal) => this.whileAlive(fastClock.sleep(milliseconds, signal)),
    };
    const run = new Run(this.environment, this.pulumi, clock, (request) => this.whileAlive(wire(request)));
    const face = faceOf(name, run, stackId);
    this.started.set(name, { face, run });
    return face;
  }

  private async untilDeath<T>(act: () => Promise<T>): Promise<T> {
    const died = new Promise<never>((_resolve, reject) => {
      this.deaths.push(() => reject(new KilledError("the provider process ended")));
    });
    died.catch(() => undefined);
    if (this.dead) throw new KilledError("the provider process ended");
    return Promise.race([act(), died]);
  }

  private async whileAlive<T>(answer: Promise<T>): Promise<T> {
    if (this.dead) {
      answer.catch(() => undefined);
      return never();
    }
    try {
      const value = await answer;
      return this.dead ? await never() : value;
    } catch (error) {
      if (this.dead) return never();
      throw error;
    }
  }
}

/** The process of a call died. How far the call got is unknown. */
class KilledError extends Error {}

/** A call that the engine does not begin after Ctrl-C. */
class CancelledError extends Error {}
