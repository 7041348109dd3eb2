// The idle provider. It does nothing, but its state is as large as podlumi's: the inputs and podlumi's own outputs.
const { randomUUID } = require("node:crypto");

/** podlumi's outputs for one object of each kind, from samples() in measure-lives.ts. */
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
