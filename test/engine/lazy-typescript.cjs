// Pulumi's SDK loads the TypeScript compiler into every process, only to be ready for functions that it would have to
// serialize. That is a third of what the start of a provider costs. This module, which specifications preload into all
// processes of Node.js, has the compiler loaded at its first use.

const Module = require("node:module");

const load = Module._load;
Module._load = function (request, ...rest) {
  return request === "typescript"
    ? lazy(() => load.call(this, request, ...rest))
    : load.call(this, request, ...rest);
};

function lazy(get) {
  return new Proxy({}, { get: (_target, name) => get()[name], has: (_target, name) => name in get() });
}
