import { join } from "node:path";
import type { ResourceProvider } from "@pulumi/pulumi/dynamic";
import { Api } from "../../provider/client/api";
import { type Clock, systemClock } from "../../provider/client/clock";
import { transport } from "../../provider/client/transport";
import { settings } from "../../provider/config";
import { Changes } from "../../provider/core/changes";
import { handler, type Session } from "../../provider/core/handler";
import { acknowledge, Journal } from "../../provider/core/journal";
import { removeLeftovers } from "../../provider/core/leftovers";
import { networkVolume } from "../../provider/resources/network-volume";
import { pod } from "../../provider/resources/pod";
import { registryAuth } from "../../provider/resources/registry-auth";
import { secret } from "../../provider/resources/secret";
import { serverlessEndpoint } from "../../provider/resources/serverless-endpoint";
import { template } from "../../provider/resources/template";

const definitions = { networkVolume, pod, registryAuth, secret, serverlessEndpoint, template };

export type Kind = keyof typeof definitions;

/** How much faster the time of scenarios runs than ours. */
const speed = 100;
const began = Date.now() - performance.now() * speed;
const now = () => began + performance.now() * speed;

/** The time of a scenario, the same for the service and the provider: pauses of minutes take a second. */
export const fastClock = {
  now,
  sleep: (milliseconds: number, _signal?: AbortSignal) =>
    systemClock.sleep(milliseconds / speed) as Promise<void>,
};

/** What never comes. */
const never = () => new Promise<never>(() => undefined);

/**
 * A provider process. It can be killed: then nothing of it reaches the service, the disk or the engine any more.
 * The journal is on the disk, so the next process finds it.
 */
export class ProviderProcess {
  private dead = false;
  private readonly deaths: (() => void)[] = [];
  private readonly handlers: Record<Kind, ResourceProvider>;
  private readonly session: Session;
  private tidied: Promise<void> | undefined;

  constructor(
    environment: NodeJS.ProcessEnv,
    private readonly home: string,
    random: () => number,
  ) {
    const wire = transport();
    const clock: Clock = {
      now,
      random,
      sleep: (milliseconds) => this.whileAlive(fastClock.sleep(milliseconds)),
    };
    const known = settings(() => undefined, environment);
    const api = new Api(known, clock, (request) => this.whileAlive(wire(request)));
    const whose = [known.apiUrl, known.apiKey, join(home, "podlumi")] as const;
    const dead = () => this.dead;
    const changes = mortal(new Changes(...whose), ["begin", "end", "forget"], dead);
    const journal = mortal(new Journal(...whose), ["begin", "made", "tell", "forget", "settle"], dead);
    this.session = {
      configure: () => undefined,
      faults: () => [],
      api: () => api,
      journal: () => journal,
      changes: () => changes,
      unchecked: () => undefined,
      makers: new Map(),
      tidy: (stack) =>
        (this.tidied ??= removeLeftovers(
          this.session,
          stack,
          () => true,
          () => undefined,
        )),
    };
    const all = Object.entries(definitions).map(([kind, definition]) => [
      kind,
      handler(definition as never, this.session),
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

  /** A call of the engine: it fails when the process dies before its answer is there. */
  call<T>(kind: Kind, call: (provider: Required<ResourceProvider>) => Promise<T>): Promise<T> {
    return this.untilDeath(() => call(this.handlers[kind] as Required<ResourceProvider>));
  }

  /** What the program does when it learns that the engine has an id in the state. */
  acknowledge(urn: string, id: string): void {
    if (!this.dead) acknowledge(urn, id, join(this.home, "podlumi"));
  }

  /** What the program does at its end. */
  end(): Promise<void> {
    return this.untilDeath(() =>
      removeLeftovers(
        this.session,
        "urn:",
        () => true,
        () => undefined,
      ),
    );
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

/** The process of a call is gone: nobody knows how far it got. */
export class KilledError extends Error {}

/** What is noted on the disk, whose writing methods do nothing any more when their process is dead. */
function mortal<T extends object>(notes: T, writing: readonly (keyof T)[], dead: () => boolean): T {
  for (const name of writing) {
    const write = notes[name] as (...given: unknown[]) => void;
    const unlessDead = (...given: unknown[]) => (dead() ? undefined : write.apply(notes, given));
    Object.assign(notes, { [name]: unlessDead });
  }
  return notes;
}
