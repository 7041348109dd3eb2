import { emulate } from "./client";

export interface Result {
  data?: Record<string, Record<string, unknown> | null>;
  errors?: { message: string; path?: string[]; extensions: { code: string } }[];
}

export const SAVE = `mutation ($input: SaveTemplateInput) {
  saveTemplate(input: $input) { id name imageName containerDiskInGb volumeInGb volumeMountPath env { key value } ports readme isServerless }
}`;
export const TEMPLATE = { name: "t", imageName: "app:1", containerDiskInGb: 10, volumeInGb: 0, env: [] };

/** Starts an emulator, with a shorthand for running a GraphQL operation. */
export async function startGraphql(options: Parameters<typeof emulate>[0] = {}) {
  const client = await emulate({ injectEnv: false, ...options });
  const run = async (query: string, variables?: object) =>
    client.graphql<Result>(query, variables as Record<string, unknown>);
  return { ...client, run };
}
