import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";

const config = new pulumi.Config();

const endpoint = new podlumi.ServerlessEndpoint("words", {
  type: "QUEUE",
  image: config.require("image"),
  disk: 10,
  gpu: { pools: ["AMPERE_16", "AMPERE_24"] },
  workers: { min: 0, max: 3, idleTimeout: 5 },
  scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
  // The deployment waits until the new image has completed a job.
  verify: { input: { text: "Hello, world" }, expect: { words: 2 } },
});

export const endpointId = endpoint.id;
export const runSync = endpoint.requestUrls.runSync;
export const verifiedRelease = endpoint.verifiedRelease;
