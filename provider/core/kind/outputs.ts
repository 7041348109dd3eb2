import type { Api } from "../../client/api";
import type { ShapeOf } from "../../schema/shape";
import type { Properties } from "../../value";
import type { Observed } from "./object";

/** How the outputs of a resource come from its inputs, and the other way round. */
export interface Outputs {
  readonly shape: ShapeOf<Record<string, unknown>>;
  /** Values of arguments that the service returns under another name or elsewhere. An import needs them. */
  written?(api: Api, id: string, observed: Observed): Promise<Properties>;
  /** Outputs that repeat an input of another name, or a part of it, by that name. They are secret when the input is. */
  readonly repeats?: Readonly<Record<string, string>>;
  /** Outputs that no input is, and that an update of an object with these outputs leaves alone. Without it: none but the id. */
  stable?(olds: Properties, inputs: Properties): readonly string[];
  /** Outputs that podlumi computes from the inputs, the id and the other outputs, which a preview may not know. */
  derive?(inputs: Properties, outputs: Properties): Properties;
}
