import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";

const config = new pulumi.Config();
const live = config.require("live");
const colours = ["blue", "green"] as const;

const endpoints = new Map(
  colours.map((colour) => [
    colour as string,
    new podlumi.ServerlessEndpoint(`worker-${colour}`, {
      type: "QUEUE",
      image: config.require(`${colour}Image`),
      gpu: { pools: ["ADA_24", "AMPERE_24"] },
      // The idle one costs nothing, and is the way back.
      workers: colour === live ? { min: 1, max: 2, idleTimeout: 30 } : { min: 0, max: 1, idleTimeout: 5 },
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
      // Fails the deployment of the idle one, long before a user meets it.
      verify: { input: { ping: true }, expect: { $type: "object" }, timeout: 900 },
    }),
  ]),
);

const endpoint = endpoints.get(live);
if (endpoint === undefined) throw new Error(`live is ${colours.join(" or ")}, not ${live}`);

export const endpointId = endpoint.id;
export const runSync = endpoint.requestUrls.runSync;
