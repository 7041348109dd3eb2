/** Program: regenerates the pages in `docs/` that are made from the sources. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { llms, pages } from "./pages";
import { schema } from "./schema";

for (const [page, text] of pages()) {
  const file = join(resolve(__dirname, "../../docs"), page);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
writeFileSync(resolve(__dirname, "../../provider/plugin/schema.json"), schema());
writeFileSync(resolve(__dirname, "../../llms.txt"), llms());
