const { default: Sequencer } = require("@jest/test-sequencer");

/** These drive the engine. One that begins last leaves the other workers idle. */
const long = /\/test\/(chaos|cli|lifecycle|plugin|programs)\//;

/** Begins with what takes long. Jest itself goes by the size of a file where it has no times of an earlier run. */
module.exports = class extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLong = ({ path, duration = 0 }) => duration > 0 || long.test(path);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
};
