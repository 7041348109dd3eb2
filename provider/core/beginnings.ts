import { isDeepStrictEqual } from "node:util";
import type { Api } from "../client/api";
import { ExpectedError } from "../client/errors";
import { remark, warn } from "../progress";
import { type Adoption, AdoptionError, adoption, declaredTwice, told } from "./adopt";
import type { Failure } from "./check";
import type { Maker } from "./create";
import type { Definition } from "./definition";
import type { Field } from "./field";
import type { Session } from "./handler";
import type { Properties } from "./value";

/** How a resource gets its object: it adopts one, or makes one under a name that must be free. */
export class Beginnings<Args> {
  /** Resources that had an object when this run began. When one of them begins anew, it does not adopt that again. */
  readonly begun = new Set<unknown>();
  /** What was adopted in this run. */
  readonly adopted = new Set<string>();
  /** Whether a look at the service has failed: a preview does not wait for it a second time. */
  private blind = false;

  constructor(
    private readonly definition: Definition<Args>,
    private readonly fields: Record<string, Field>,
    private readonly maker: Maker<Args>,
    private readonly session: Session,
  ) {}

  /** What the service has against it, as far as it can be asked. Says what is going to be adopted. */
  async obstacles(inputs: Properties): Promise<Failure[]> {
    if (this.blind) return [];
    try {
      const failure = this.adopts(inputs)
        ? await this.obstacleToAdoption(inputs)
        : await this.obstacleToCreation(inputs);
      return failure === undefined ? [] : [failure];
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error;
      const what = this.adopts(inputs) ? "what is to be adopted" : "whether names are free";
      this.session.unchecked(what, error.message);
      this.blind = true;
      return [];
    }
  }

  /** Warns of what the service will probably refuse, where that is new. Says nothing when it cannot be asked. */
  async warn(before: Properties, inputs: Properties): Promise<void> {
    const { doubts } = this.definition;
    const changed = doubts?.about.some((name) => !isDeepStrictEqual(before[name], inputs[name]));
    if (!doubts || !changed || this.adopts(inputs)) return;
    try {
      for (const { property, reason } of await doubts.find(this.session.api().hasty, inputs)) {
        const text = `${property}: ${reason}${reason.endsWith("?") ? "" : "."} The service will probably refuse it.`;
        warn(inputs.__urn, text);
      }
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error;
    }
  }

  /** What a resource takes over instead of making something. */
  async adoption(api: Api, inputs: Properties): Promise<Adoption | undefined> {
    if (!this.adopts(inputs)) return undefined;
    const { __provider, __urn, ...given } = inputs;
    const found = await adoption(this.definition, this.fields, api, given);
    const owner = (found && this.maker.owned.get(found.id)) ?? __urn;
    if (owner === __urn) return found;
    throw new AdoptionError(
      `the ${this.definition.noun} ${found?.id} cannot be had: ${declaredTwice(owner)}`,
    );
  }

  private adopts({ adopt, __urn }: Properties): boolean {
    return adopt !== undefined && !this.begun.has(__urn);
  }

  private async obstacleToAdoption(inputs: Properties): Promise<Failure | undefined> {
    try {
      const found = await this.adoption(this.session.api().hasty, inputs);
      if (found === undefined) return undefined;
      // Whoever has it in the state may come later in this run.
      this.maker.owned.set(found.id, String(inputs.__urn));
      remark(inputs.__urn, told(this.definition.noun, inputs, found));
      return undefined;
    } catch (error) {
      if (!(error instanceof AdoptionError)) throw error;
      return { property: "adopt", reason: error.message };
    }
  }

  private async obstacleToCreation(inputs: Properties): Promise<Failure | undefined> {
    const { maker, session } = this;
    const reason = await maker.unavailable(
      session.api(),
      session.journal(),
      inputs.name,
      String(inputs.__urn),
    );
    if (reason !== undefined) return { property: "name", reason };
    return this.definition.obstacle?.(session.api().hasty, inputs);
  }
}
