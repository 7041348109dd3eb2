// Specifications preload this module into all processes of Node.js, so that they start quickly.
//
// Pulumi's SDK loads the TypeScript compiler and npm's Arborist into every process, only to be ready for functions that it
// would have to serialize. They take two thirds of the start of a process. Here they load at their first use.

const { readFileSync } = require("node:fs");
const Module = require("node:module");

const load = Module._load;
Module._load = function (request, ...rest) {
  const loaded = () => load.call(this, request, ...rest);
  if (request === "typescript") return late(loaded);
  // The module that loads this one copies its only function.
  if (request === "./closure/codePaths")
    return { computeCodePaths: (...args) => loaded().computeCodePaths(...args) };
  return loaded();
};

function late(loaded) {
  return new Proxy({}, { get: (_target, name) => loaded()[name], has: (_target, name) => name in loaded() });
}

// The language host that this repository builds is older than the engine, which no longer tells it with a flag that a project
// turns TypeScript off.
if (process.env.PULUMI_NODEJS_TYPESCRIPT === "true" && /typescript: false/.test(textOf("Pulumi.yaml"))) {
  delete process.env.PULUMI_NODEJS_TYPESCRIPT;
}

function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
