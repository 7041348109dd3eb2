#!/usr/bin/env node
// Runs the bundle beside it from what V8 has compiled of that at the build. Another version of V8 refuses that, and compiles the text again.
const { existsSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const { Script } = require("node:vm");

const filename = join(__dirname, "bundle.js");
const compiled = join(__dirname, `bundle.${process.arch}.compiled`);
const cachedData = existsSync(compiled) ? readFileSync(compiled) : undefined;
const script = new Script(readFileSync(filename, "utf8"), { filename, cachedData });
script.runInThisContext()(require, module, exports, __dirname);
