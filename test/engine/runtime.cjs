const { AsyncLocalStorage } = require("node:async_hooks");
const { createRequire } = require("node:module");
const { Script } = require("node:vm");
const { default: Runtime } = require("jest-runtime");

/** Those that the running specification has used. Each that stays enabled makes every promise of later specifications slower. */
const storages = new Set();
for (const method of ["run", "enterWith"]) {
  const use = AsyncLocalStorage.prototype[method];
  AsyncLocalStorage.prototype[method] = function (...args) {
    storages.add(this);
    return use.apply(this, args);
  };
}

/** The modules that this worker of Jest has compiled. What V8 compiles of one, also later, serves the next specification that loads it. */
const scripts = new Map();

/**
 * Loads packages as Node.js does: once for each worker of Jest, not once for each specification, which takes half a second. Those
 * that `apart` names stay with their specification, as does what this project wrote.
 */
module.exports = class extends Runtime {
  constructor(...given) {
    super(...given);
    const { executor } = this;
    const compile = executor.compile.bind(executor);
    executor.compile = (text, path) => {
      const context = this._environment.getVmContext();
      // Jest counts what is covered in its own way, and only its own modules can import.
      if (context === null || this._coverageOptions.collectCoverage || /\bimport\(/.test(text))
        return compile(text, path);
      const known = scripts.get(path);
      const script =
        known?.text === text ? known.script : scriptOf(text, path, executor.injectedModuleParameters);
      scripts.set(path, { text, script });
      return script.runInContext(context);
    };
  }

  requireModuleOrMock(from, name) {
    const isShared = /^(?!node:)[@a-z]/.test(name) && !apart.test(name);
    return isShared ? createRequire(from)(name) : super.requireModuleOrMock(from, name);
  }

  teardown() {
    for (const storage of storages) storage.disable();
    storages.clear();
    super.teardown();
  }
};

/**
 * Pulumi's packages remember the program that runs, undici reads the environment and commander writes to the output, of which each
 * specification has its own, as it has its own `Array` and `Error`, of which Pulumi and graphql want their values to be.
 */
const apart = /^(podlumi|@pulumi|google-protobuf|graphql|undici|commander|@?jest)\b/;

/** A function with these parameters, whose text keeps its lines and columns. */
function scriptOf(text, filename, parameters) {
  const head = `(function (${parameters}) {`;
  return new Script(`${head}${text}\n})`, { filename, columnOffset: -head.length });
}
