/** What the package says of itself. */
export const { version, peerDependencies } = require("podlumi/package.json") as {
  version: string;
  peerDependencies: Record<string, string>;
};
