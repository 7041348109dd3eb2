/**
 * Milliseconds for the work at the end of a run, and for its parts: the engine interrupts a provider at the end of a run and kills it
 * 5 s later. A list, all states and a second list follow one another.
 */
export const endLimits = { all: 4_500, settling: 4_000, list: 1_500, states: 2_000, lastList: 900 };
