// The same kinds as podlumi, as dynamic resources whose provider does nothing: what the engine costs by itself.
const pulumi = require("@pulumi/pulumi");

const samples = JSON.parse(process.env.PODLUMI_BENCH_SAMPLES);
const secrets = { Secret: ["value"], RegistryAuth: ["username", "password"] };

for (const [kind, sample] of Object.entries(samples)) {
  const outputs = Object.fromEntries(Object.keys(sample).map((key) => [key, undefined]));
  exports[kind] = class extends pulumi.CustomResource {
    constructor(name, args, opts = {}) {
      const type = `pulumi-nodejs:dynamic/podlumi:${kind}`;
      const inputs = { name, ...args, __urn: pulumi.createUrn(name, type, opts.parent) };
      for (const key of secrets[kind] ?? []) inputs[key] = pulumi.secret(inputs[key]);
      const __provider = `exports.handler=()=>require("./idle/provider.cjs").${kind}`;
      const additionalSecretOutputs = secrets[kind] ?? [];
      super(
        type,
        name,
        { ...outputs, ...inputs, __provider },
        pulumi.mergeOptions(opts, { additionalSecretOutputs }),
      );
    }
  };
}
