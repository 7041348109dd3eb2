import { withCode } from "../codes";
import { configOf } from "../config";
import type { Run } from "../core/call/run";
import type { Kind } from "../core/kind";
import { unwrapped } from "../core/state/secret-value";
import { didYouMean } from "../did-you-mean";
import { kindOfType, partsOfUrn } from "../identity";
import { definitions } from "../resources";
import type { Properties } from "../value";
import { servesAnother } from "../words/plugin";
import { Served } from "./served";

/** The kinds of a run, as the plugin serves them to the engine. */
export class Face {
  private readonly kinds: ReadonlyMap<string, Served>;
  /** The id of the provider resource, by which marks tell stacks apart. */
  private providerId: string | undefined;
  private isConfigured = false;

  constructor(private readonly run: Run) {
    const served = (kind: Kind) => new Served(kind, run, () => this.providerId);
    this.kinds = new Map(Object.entries(definitions).map(([name, kind]) => [name, served(kind)]));
  }

  /**
   * `id` is that of the provider resource. The engine starts a process for each, unless it uses one that runs already
   * (`PULUMI_DEBUG_PROVIDERS`), whose knowledge of accounts and states is of an earlier provider and command.
   */
  configure(id: string | undefined, args: Properties): void {
    if (this.isConfigured) throw new Error(withCode(servesAnother, "PODLUMI-CONFIGURATION"));
    this.isConfigured = true;
    this.providerId = id;
    const config = configOf(unwrapped(args));
    this.run.configure((key) => config[key]);
  }

  /** The kind of a resource. */
  of({ urn }: { readonly urn: string }): Served {
    return this.ofType(partsOfUrn(urn).type);
  }

  ofType(type: string): Served {
    const name = String(kindOfType(type));
    const served = this.kinds.get(name);
    if (served !== undefined) return served;
    const similar = didYouMean(name, [...this.kinds.keys()]);
    throw new Error(
      withCode(`podlumi has no resource of the type ${type}${similar}`, "PODLUMI-UNKNOWN-TYPE"),
    );
  }
}
