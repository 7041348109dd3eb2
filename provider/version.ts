/** The version in package.json, which neither bundle has beside it. */
export const version = "0.1.0";
