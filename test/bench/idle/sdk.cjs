// The same kinds as podlumi, with the idle provider. They measure the cost of the engine alone.
const pulumi = require("@pulumi/pulumi");

const samples = JSON.parse(process.env.PODLUMI_BENCH_SAMPLES);
/** Like podlumi: one provider resource for all, and names that end with digits. */
let provider;
const digits = "-0123456-01234567-01234567";
const secrets = { Secret: ["value"], RegistryAuth: ["username", "password"] };

for (const [kind, sample] of Object.entries(samples)) {
  const outputs = Object.fromEntries(Object.keys(sample).map((key) => [key, undefined]));
  exports[kind] = class extends pulumi.CustomResource {
    constructor(name, args, opts = {}) {
      const type = `pulumi-nodejs:dynamic/podlumi:${kind}`;
      const __urn = `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${type}::${name}`;
      provider ??= new pulumi.ProviderResource("pulumi-nodejs", "default_idle", {});
      const inputs = {
        name: `${name}${digits}`,
        __autoname: `${name}${digits}`,
        ...args,
        __urn,
        __providerId: provider.id,
      };
      for (const key of secrets[kind] ?? []) inputs[key] = pulumi.secret(inputs[key]);
      const __provider = `exports.handler=()=>require("./idle/provider.cjs").${kind}`;
      const additionalSecretOutputs = secrets[kind] ?? [];
      super(
        type,
        name,
        { ...outputs, ...inputs, __provider },
        pulumi.mergeOptions(opts, { provider, additionalSecretOutputs }),
      );
    }
  };
}
