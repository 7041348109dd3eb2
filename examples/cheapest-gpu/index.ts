import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";

const config = new pulumi.Config();

const found = podlumi.cheapestGpuOutput({ minMemory: config.requireNumber("minMemory"), cloud: "SECURE" });

// Prices and stock change from day to day, and another GPU would replace the pod: it stays on what it got.
// To look for a cheaper one, run `pulumi up --replace` with its URN.
const notebook = new podlumi.Pod(
  "notebook",
  {
    image: "runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404",
    gpu: found.gpu,
    cloud: found.cloud,
    dataCenterIds: found.dataCenterIds,
    disk: 20,
    mounts: { persistent: { size: 50, path: "/workspace" } },
    ports: ["8888/http"],
    startJupyter: true,
  },
  { ignoreChanges: ["gpu", "dataCenterIds"] },
);

export const why = found.why;
export const gpu = notebook.gpu.apply((gpu) => gpu?.id);
export const costPerHour = notebook.cost;
