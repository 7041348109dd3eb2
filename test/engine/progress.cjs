// JavaScript, because test/setup.mjs needs it before anything is installed.
const { spawn } = require("node:child_process");

// Progress goes to standard error, because standard output is for results.
const screen = process.stderr;
const TAIL_LINES = 200;

function say(text) {
  screen.write(`${text}\n`);
}

function beat(text) {
  if (screen.isTTY) screen.write(`\r\x1b[2K${text.slice(0, (screen.columns ?? 80) - 1)}`);
  else say(text);
}

async function run(what, command, args, { cwd, env, limit } = {}) {
  say(`${what} …`);
  // Every line says what is done: several commands may run at once, and a reader may see the last lines only.
  const doing = what.replace(/ \([^)]*\)$/, "");
  const started = Date.now();
  const elapsed = () => `${Math.round((Date.now() - started) / 1000)} s`;
  const lines = [];
  const child = spawn(command, args, { cwd, env, timeout: limit, stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk) => {
      lines.push(...chunk.split(/\r?\n/).filter((line) => line.trim() !== ""));
      lines.splice(0, lines.length - TAIL_LINES);
    });
  }
  const timer = setInterval(
    () =>
      beat(
        [
          `${doing}: ${elapsed()}`,
          ...lines.filter((line) => !/^npm (warn|notice)\b/.test(line)).slice(-1),
        ].join(", "),
      ),
    screen.isTTY ? 1_000 : 15_000,
  );
  try {
    const [code, signal] = await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (...end) => resolve(end));
    });
    if (screen.isTTY) beat("");
    if (code !== 0) {
      const end = signal ? `was stopped by ${signal} after ${elapsed()}` : `failed with exit code ${code}`;
      throw new Error([`${[command, ...args].join(" ")} ${end}`, ...lines].join("\n"));
    }
  } finally {
    clearInterval(timer);
  }
  say(`${doing}: done in ${elapsed()}`);
}

module.exports = { say, run };
