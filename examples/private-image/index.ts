import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";

const config = new pulumi.Config();

const registry = new podlumi.RegistryAuth("ghcr", {
  username: config.require("registryUsername"),
  password: config.requireSecret("registryPassword"),
});

// Requests go straight to the HTTP server of a worker.
const api = new podlumi.ServerlessEndpoint("api", {
  type: "LOAD_BALANCER",
  image: config.require("image"),
  registry: registry.id,
  ports: ["8000/http"],
  env: { PORT: "8000", LOG_LEVEL: "info" },
  disk: 10,
  cpu: [
    { id: "cpu3c", vcpuCount: 4 },
    { id: "cpu5c", vcpuCount: 4 },
  ],
  workers: { min: 1, max: 5, idleTimeout: 30 },
  scaling: { type: "REQUEST_COUNT", requestCount: 10 },
  // If the image cannot be pulled, the deployment fails, not the first request.
  waitFor: "READY",
});

export const url = api.requestUrls.base;
