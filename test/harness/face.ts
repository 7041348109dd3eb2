import { pluginTokenOf, typeOf } from "../../provider/identity";
import type { KindName } from "../../provider/resources";

/** The programs of these specifications use the classes of the plugin. `jest.config.js` says which do, and when. */
export const onPlugin = (globalThis as { onPlugin?: boolean }).onPlugin === true;

/** The type of a kind, as the engine calls it. */
export const typeOfKind = (kind: KindName): string => (onPlugin ? pluginTokenOf : typeOf)(kind);

/** Where a project's `Pulumi.yaml` says that the plugin is. */
export const plugins = { providers: [{ name: "podlumi", path: "node_modules/podlumi/dist/plugin" }] };
