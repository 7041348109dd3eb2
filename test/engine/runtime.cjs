const { AsyncLocalStorage } = require("node:async_hooks");
const { createRequire } = require("node:module");
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

/**
 * Loads packages as Node.js does: once for each worker of Jest, not once for each specification, which takes half a second. Those
 * that `apart` names stay with their specification, as does what this project wrote.
 */
module.exports = class extends Runtime {
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
 * Pulumi's packages remember the program that runs, and undici reads the environment, of which each specification has its own, as
 * it has its own `Array` and `Error`, of which Pulumi and graphql want their values to be.
 */
const apart = /^(podlumi|@pulumi|google-protobuf|graphql|undici|@?jest)\b/;
