// Specifications preload this module into all processes of Node.js, so that they start quickly.
//
// Pulumi's SDK loads the TypeScript compiler and npm's Arborist into every process, only to be ready for functions that it
// would have to serialize, and its Automation API. They take more than two thirds of the start of a process. Here they load at
// their first use.

const { readFileSync } = require("node:fs");
const Module = require("node:module");

const load = Module._load;
Module._load = function (request, ...rest) {
  const loaded = () => load.call(this, request, ...rest);
  if (request === "typescript") return late(loaded);
  // Programs and hosts of providers do not use the Automation API.
  if (request === "./automation") return late(loaded, { __esModule: true });
  // The module that loads this one copies its only function.
  if (request === "./closure/codePaths")
    return { computeCodePaths: (...args) => loaded().computeCodePaths(...args) };
  return loaded();
};

/** A module that loads when somebody asks for what is not in `known`. */
function late(loaded, known = {}) {
  const get = (_target, name) => (name in known ? known[name] : loaded()[name]);
  return new Proxy({}, { get, has: (_target, name) => name in known || name in loaded() });
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

if (process.env.PODLUMI_COMPILED) require("./compiled.cjs").useCompiled(process.env.PODLUMI_COMPILED);
