import { dynamic } from "@pulumi/pulumi";

const provider: dynamic.ResourceProvider = {
  create: async (inputs) => ({ id: "made", outs: inputs }),
};

class Made extends dynamic.Resource {
  constructor(name: string) {
    super(provider, name, {});
  }
}

export const id = new Made("resource").id;
