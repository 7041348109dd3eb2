import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compare } from "../acceptance/compare";
import type { Exchange } from "../acceptance/recorder";
import { replay } from "../acceptance/replay";

/** Recordings of the service, which `npm run acceptance` makes with a key. */
const folder = join(__dirname, "recordings");
const kept = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".json")) : [];

if (kept.length === 0)
  test.skip("there is no recording yet: nobody has run the acceptance with a key", () => {});
else
  test.each(kept)("the emulator answers as the service did in %s", async (file) => {
    const exchanges = JSON.parse(readFileSync(join(folder, file), "utf8")) as Exchange[];
    expect(compare(exchanges, await replay(exchanges))).toEqual([]);
  });
