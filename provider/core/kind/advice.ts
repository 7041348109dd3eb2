import type { Api } from "../../client/api";
import type { Failure } from "../../schema/failure";
import type { Differences, FieldTable } from "../../schema/field";
import type { Rule } from "../../schema/rule";
import type { Properties } from "../../value";
import type { Resources } from "./account";

/** Findings of a preview beyond fields and rules. */
export interface Advice {
  /** Prevents a create, and no update. It fails the preview. */
  conflict?(api: Api, inputs: Properties): Promise<Failure | undefined>;
  /** The intent behind invalid inputs, such as those of another kind: said in place of the fault at its property. */
  mistake?(inputs: Properties, ask: Ask): Promise<Failure | undefined>;
  /** The service takes it, and the program probably means something else. A warning. */
  readonly oddities?: readonly Rule[];
  readonly warnings?: Warnings;
  readonly copies?: Copies;
}

type Copying = { readonly noun: string; readonly fields: FieldTable };

/** Settings that an object copies from another one, and then leaves alone. */
export interface Copies {
  /** Tells which of them this run changes there. */
  tellUpdate(kind: Copying, resources: Resources, inputs: Properties, changes: Differences): void;
  /** Tells of their drift: the program leaves them out, so no later `up` shows it. */
  tellDrift(kind: Copying, before: Properties, now: Properties): void;
}

/** Asks the service; undefined where it does not tell, or nobody may ask it. */
export type Ask = <T>(look: (api: Api) => Promise<T>) => Promise<T | undefined>;

/** Only a warning: accounts may have hardware that the catalog does not list. */
export interface Warnings {
  /** The fields that matter to `find`. The catalog is asked only when one of them is new or changed. */
  readonly about: readonly string[];
  /** The lists of the catalog that `find` asks for, by the argument that needs them. */
  readonly lists: Readonly<Record<string, (api: Api) => Promise<unknown>>>;
  find(api: Api, inputs: Properties): Promise<Failure[]>;
}
