import { runsAll } from "../engine/runs-all";
import { onPlugin } from "./face";

/** What takes long runs with one face. */
const runs = runsAll && !onPlugin;

/** `describe` for what only `npm run test:all` runs. */
export const describeLong = runs ? describe : describe.skip;
/** The same for a single specification. */
export const testLong = runs ? test : test.skip;
