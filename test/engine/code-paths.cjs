// Loads Pulumi's function, and npm's Arborist with it, at the first call. See quick-start.cjs, which Jest's modules bypass.
exports.computeCodePaths = (...args) =>
  require("@pulumi/pulumi/runtime/closure/codePaths").computeCodePaths(...args);
