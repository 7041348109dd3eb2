const { default: Sequencer } = require("@jest/test-sequencer");

/** These neither drive the engine nor wait for long. Of the others, one that begins last leaves the other workers idle. */
const short =
  /\/test\/(contract|emulator|functions\/(?!lookups|logs)|jobs|policy|provider\/(?!twins|unclear)|v1)\b/;

/** Begins with what takes long. Jest itself goes by the size of a file where it has no times of an earlier run. */
module.exports = class extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLong = ({ path, duration = 0 }) => duration > 0 || !short.test(path);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
};
