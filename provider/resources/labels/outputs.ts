export const labelOutputs = { tags: undefined, costCenter: undefined };
