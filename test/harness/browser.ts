import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium, type LaunchOptions } from "playwright-core";
import { devDependencies } from "../../package.json";
import { cacheFolder, makeOnce } from "../engine/cache";
import { run } from "../engine/progress.cjs";

/**
 * Starts a Chromium without a window. The first of these that there is: the one at `CHROME_PATH`, the one that
 * comes with the development dependencies (Linux on x64), an installed Google Chrome.
 */
export async function startBrowser(): Promise<Browser> {
  const options = await whichBrowser();
  try {
    // Programs in containers are often root, for whom Chromium has no sandbox. It sees nothing but loopback.
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

/** The package holds Chromium with its libraries and a font, compressed; they are unpacked once. */
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

/** In a process of its own, because the package takes its folder and its libraries from the environment. */
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
