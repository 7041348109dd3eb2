import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";

const config = new pulumi.Config();
const stack = pulumi.getStack(); // `production`, `pr-123`
const production = stack === "production";

// Without a name: podlumi makes up another one for each stack, and recognizes the template by it after a cancelled run.
const worker = new podlumi.Template("worker", {
  image: config.require("image"),
  disk: 20,
  serverless: true,
  env: { ENVIRONMENT: stack },
});

const endpoint = new podlumi.ServerlessEndpoint(
  "worker",
  {
    name: `worker-${stack}`, // An endpoint carries its mark elsewhere.
    type: "QUEUE",
    templateId: worker.id,
    templateRevision: worker.revision,
    gpu: { pools: production ? ["ADA_80_PRO"] : ["AMPERE_16", "AMPERE_24"] },
    workers: production ? { min: 1, max: 3, idleTimeout: 30 } : { min: 0, max: 1, idleTimeout: 5 },
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
    verify: { input: { ping: true }, timeout: 900 },
  },
  { protect: production },
);

export const endpointId = endpoint.id;
export const runSync = endpoint.requestUrls.runSync;
