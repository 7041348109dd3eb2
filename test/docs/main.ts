/** Program: makes the pages in `docs/` that come from the sources anew. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pages } from "./pages";

for (const [page, text] of pages()) {
  const file = join(resolve(__dirname, "../../docs"), page);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
