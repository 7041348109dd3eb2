/**
 * Whether `npm run test:all` runs, which sets the variable. It has what takes long and whose rule a shorter specification
 * holds, too: the same with the other face, in another language, with another backend. `npm test` leaves it out.
 */
export const runsAll = process.env.PODLUMI_TEST_ALL === "1";
