import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium, type LaunchOptions } from "playwright-core";
import { devDependencies } from "../../package.json";
import { cacheFolder, makeOnce } from "../engine/cache";
import { run } from "../engine/progress.cjs";

/**
 * Starts a headless Chromium: the one at `CHROME_PATH`, else the one from the development dependencies (Linux on x64
 * only), else an installed Google Chrome.
 */
export async function startBrowser(): Promise<Browser> {
  const options = await whichBrowser();
  try {
    // Containers often run as root, where Chromium's sandbox does not work. The tests open only pages on loopback.
    return await chromium.launch({ ...options, args: ["--no-sandbox"] });
  } catch (error) {
    throw new Error(
      `No browser could be started: install Google Chrome, or set CHROME_PATH to a Chromium.\n${error}`,
    );
  }
}

async function whichBrowser(): Promise<LaunchOptions> {
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH) return { executablePath: CHROME_PATH };
  return process.platform === "linux" && process.arch === "x64" ? unpackedBrowser() : { channel: "chrome" };
}

/** The package contains Chromium, its libraries and a font in compressed form. They are unpacked once. */
async function unpackedBrowser(): Promise<LaunchOptions> {
  const folder = cacheFolder(`chromium-${devDependencies["@sparticuz/chromium"]}`);
  await makeOnce(folder, unpack);
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: join(folder, "al2023", "lib"),
    FONTCONFIG_FILE: join(folder, "fonts.conf"),
  };
  return { executablePath: join(folder, "chromium"), env };
}

const FONTS = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
`;

/** Unpacks in a separate process, because the package reads its target folder from the environment. */
async function unpack(folder: string): Promise<void> {
  await run(
    "browser: unpacking Chromium (about 5 s, once)",
    process.execPath,
    ["--eval", 'require("@sparticuz/chromium").executablePath()'],
    {
      cwd: __dirname,
      env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" },
    },
  );
  await writeFile(join(folder, "fonts.conf"), FONTS);
}
