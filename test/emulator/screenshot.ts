/** Program: makes docs/emulator.png for docs/emulator.md. It shows the page with a busy account. */
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startBrowser } from "../harness/browser";
import { busyAccount } from "./scene";

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      out: { type: "string", default: resolve(__dirname, "../../docs") },
      width: { type: "string", default: "1360" },
      height: { type: "string", default: "880" },
      scheme: { type: "string", default: "light" },
    },
  });
  const emulator = await busyAccount();
  const browser = await startBrowser();
  const page = await browser.newPage({
    viewport: { width: Number(values.width), height: Number(values.height) },
    colorScheme: values.scheme === "dark" ? "dark" : "light",
    reducedMotion: "reduce",
    timezoneId: "UTC",
  });
  await page.goto(emulator.pageUrl);
  await page.getByRole("button", { name: /^endpoint chat/ }).click();
  await mkdir(values.out, { recursive: true });
  const path = join(values.out, "emulator.png");
  await page.screenshot({ path, fullPage: Number(values.width) < 1000 });
  console.log(path);
  await browser.close();
  await emulator.close();
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
