// The provider that does nothing: it keeps the inputs, beside outputs as many and as large as podlumi's.
const { randomUUID } = require("node:crypto");

/** What podlumi keeps of one object of each kind, see samples() in measure-lives.ts. */
const samples = JSON.parse(process.env.PODLUMI_BENCH_SAMPLES);

for (const [kind, sample] of Object.entries(samples)) {
  const keep = async (inputs) => ({ ...sample, ...inputs });
  exports[kind] = {
    create: async (inputs) => ({ id: randomUUID().slice(0, 14), outs: await keep(inputs) }),
    update: async (_id, _olds, news) => ({ outs: await keep(news) }),
    delete: async () => {},
  };
}
