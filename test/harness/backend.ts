import type { Pulumi } from "../../provider/engine/stacks";

/** A backend whose only state is empty, for specifications without an engine. The `pulumi` command takes 0.1 s for each look. */
export const emptyBackend: Pulumi = {
  state: async (name) => ({
    name,
    holders: new Map(),
    ids: new Set(),
    markers: new Set(),
    providers: new Set(),
    pending: [],
    at: 0,
  }),
  stacks: async () => [],
};
