// The provider that does nothing: it keeps the inputs, beside outputs as many and as large as podlumi's.
const { randomUUID } = require("node:crypto");

/** What podlumi keeps of one object of each kind, see samples() in measure-lives.ts. */
const samples = JSON.parse(process.env.PODLUMI_BENCH_SAMPLES);

const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const filled = (sample, inputs) => ({ ...sample, ...inputs });

for (const [kind, sample] of Object.entries(samples)) {
  const outs = (inputs) => {
    const nested = Object.keys(inputs).filter((key) => isRecord(inputs[key]) && isRecord(sample[key]));
    const records = nested.map((key) => [key, filled(sample[key], inputs[key])]);
    return { ...filled(sample, inputs), ...Object.fromEntries(records) };
  };
  exports[kind] = {
    create: async (inputs) => ({ id: randomUUID().replaceAll("-", "").slice(0, 10), outs: outs(inputs) }),
    update: async (_id, _olds, news) => ({ outs: outs(news) }),
    delete: async () => {},
  };
}
