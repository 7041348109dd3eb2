// To find modules and to compile them takes up to a half of the start of a process of Node.js. So the first processes of each program of
// this repository keep both for the others, in a folder that lives as long as the specifications run. quick-start.cjs loads this module.

const { readFileSync, realpathSync, renameSync, statSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { dirname, join, relative, resolve, sep } = require("node:path");
const v8 = require("node:v8");
const { constants, Script } = require("node:vm");

/** When a process keeps it: again later, since it compiles most functions at their first use. The engine ends it at any time. */
const KEPT_AFTER_MS = [300, 600, 1200, 2400];

const root = resolve(__dirname, "../..") + sep;

exports.useCompiled = (folder) => {
  const program = realpathOf(process.argv[1]);
  // A worker of Jest begins before another has ended. V8 does not count the runs of a function that it has not compiled itself.
  if (!program?.startsWith(root) || program.includes("jest-worker") || process.env.NODE_V8_COVERAGE) return;
  const file = join(folder, relative(root, program).replaceAll(sep, "+"));
  const kept = read(file);
  const scripts = new Map();
  const compile = Module.prototype._compile;
  Module.prototype._compile = function (text, path, ...rest) {
    const data = kept?.compiled.get(path);
    if (!path.startsWith(root) || (kept && !data)) return compile.call(this, text, path, ...rest);
    const script = new Script(Module.wrap(text.replace(/^#!/, "//")), {
      filename: path,
      columnOffset: -Module.wrapper[0].length,
      cachedData: data,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    if (!kept) scripts.set(path, script);
    const { exports } = this;
    return script.runInThisContext().call(exports, exports, requireOf(this), this, path, dirname(path));
  };
  if (kept) return void Object.assign(Module._pathCache, kept.found);
  // V8 does not take what was compiled with other flags than those of a start, and podlumi sets one.
  v8.setFlagsFromString = () => {};
  for (const delay of KEPT_AFTER_MS) setTimeout(() => write(file, scripts), delay).unref();
};

/** The `require` of a module, as Node.js makes it. */
function requireOf(module) {
  const require = (name) => module.require(name);
  require.resolve = (name, options) => Module._resolveFilename(name, module, false, options);
  require.resolve.paths = (name) => Module._resolveLookupPaths(name, module);
  return Object.assign(require, {
    main: process.mainModule,
    extensions: Module._extensions,
    cache: Module._cache,
  });
}

/** Four bytes that tell the length of a list, the list as JSON, and what each of its scripts has compiled, one after the other. */
function write(file, scripts) {
  const parts = [...scripts].map(([path, script]) => [path, script.createCachedData()]);
  const found = Object.entries(Module._pathCache).filter(([, path]) => path.startsWith(root));
  const lengths = parts.map(([path, data]) => [path, data.length]);
  const list = Buffer.from(JSON.stringify({ found: Object.fromEntries(found), lengths }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(list.length);
  const all = Buffer.concat([length, list, ...parts.map(([, data]) => data)]);
  if (all.length <= (statSync(file, { throwIfNoEntry: false })?.size ?? 0)) return;
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, all);
  renameSync(unfinished, file);
}

function read(file) {
  let all;
  try {
    all = readFileSync(file);
  } catch {
    return undefined;
  }
  let start = 4 + all.readUInt32LE(0);
  const { found, lengths } = JSON.parse(all.subarray(4, start));
  const compiled = new Map();
  for (const [path, length] of lengths) {
    compiled.set(path, all.subarray(start, start + length));
    start += length;
  }
  return { found, compiled };
}

function realpathOf(path) {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // `node -e` is no program of a file.
  }
}
