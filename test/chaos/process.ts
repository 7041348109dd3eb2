import type { ResourceProvider } from "@pulumi/pulumi/dynamic";
import { Api } from "../../provider/client/api";
import { type Clock, systemClock } from "../../provider/client/clock";
import { transport } from "../../provider/client/transport";
import { confirmDataLoss, settings } from "../../provider/config";
import { endRun } from "../../provider/core/end";
import { handler } from "../../provider/core/handler";
import { Run } from "../../provider/core/run";
import type { Pulumi } from "../../provider/engine/stacks";
import { networkVolume } from "../../provider/resources/network-volume";
import { pod } from "../../provider/resources/pod";
import { registryAuth } from "../../provider/resources/registry-auth";
import { secret } from "../../provider/resources/secret";
import { serverlessEndpoint } from "../../provider/resources/serverless-endpoint";
import { template } from "../../provider/resources/template";

export const definitions = { networkVolume, pod, registryAuth, secret, serverlessEndpoint, template };

export type Kind = keyof typeof definitions;

/** The clock of a scenario runs this many times faster than real time. */
const speed = 100;
const began = Date.now() - performance.now() * speed;
const now = () => began + performance.now() * speed;

/** The clock of a scenario, which service and provider share. A pause of a minute takes less than a second. */
export const fastClock = {
  now,
  sleep: (milliseconds: number, _signal?: AbortSignal) =>
    systemClock.sleep(milliseconds / speed) as Promise<void>,
};

/** A promise that never settles. */
const never = () => new Promise<never>(() => undefined);

/** A provider process. After a kill, nothing that it does reaches the service or the engine. */
export class ProviderProcess {
  private dead = false;
  private readonly deaths: (() => void)[] = [];
  private readonly handlers: Record<Kind, ResourceProvider>;
  private readonly run: Run;

  constructor(environment: NodeJS.ProcessEnv, random: () => number, pulumi: Pulumi) {
    const wire = transport();
    const clock: Clock = {
      now,
      random,
      sleep: (milliseconds) => this.whileAlive(fastClock.sleep(milliseconds)),
    };
    const known = settings(() => undefined, environment);
    const api = new Api(known, clock, (request) => this.whileAlive(wire(request)));
    this.run = new Run(environment, pulumi, api);
    const confirmed = (key: string) => (key === confirmDataLoss ? "all" : undefined);
    this.run.configure(confirmed);
    const all = Object.entries(definitions).map(([kind, definition]) => [
      kind,
      handler(definition, this.run),
    ]);
    this.handlers = Object.fromEntries(all);
  }

  kill(): void {
    this.dead = true;
    for (const die of this.deaths) die();
  }

  get killed(): boolean {
    return this.dead;
  }

  /** A call by the engine. It fails when the process dies before it answers. */
  call<T>(kind: Kind, call: (provider: Required<ResourceProvider>) => Promise<T>): Promise<T> {
    return this.untilDeath(() => call(this.handlers[kind] as Required<ResourceProvider>));
  }

  /** The work of the provider when the engine interrupts it at the end of a command. */
  end(): Promise<void> {
    return this.untilDeath(() => endRun(this.run));
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
export class KilledError extends Error {}
