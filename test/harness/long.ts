import { runsAll } from "../engine/runs-all";

/** `describe` for what only `npm run test:all` runs. */
export const describeLong = runsAll ? describe : describe.skip;
/** The same for a single specification. */
export const testLong = runsAll ? test : test.skip;
