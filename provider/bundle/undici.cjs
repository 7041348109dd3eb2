// The bundle has only undici's agents. Loading fetch, WebSockets and caches as well would take 50 ms more.
const Dispatcher = require("undici/lib/dispatcher/dispatcher.js");
Object.assign(Dispatcher.prototype, require("undici/lib/api/index.js"));

exports.Agent = require("undici/lib/dispatcher/agent.js");
Object.defineProperty(exports, "EnvHttpProxyAgent", {
  get: () => require("undici/lib/dispatcher/env-http-proxy-agent.js"),
});
