/** Fields of podlumi's own package.json. */
export const { version, peerDependencies } = require("podlumi/package.json") as {
  version: string;
  peerDependencies: Record<string, string>;
};
