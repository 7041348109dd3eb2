import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";

const config = new pulumi.Config();

const password = new podlumi.Secret("jupyter_password", { value: config.requireSecret("jupyterPassword") });
const found = podlumi.cheapestGpuOutput({ minMemory: config.requireNumber("minMemory"), cloud: "SECURE" });

// Prices and stock change from day to day, and another GPU would replace the pod: so it keeps its GPU, even with a new
// `minMemory`. To move to the cheapest one, run `pulumi up --replace` with its URN. This deletes what is in /workspace, and asks for no
// confirmation of the loss, since you name the pod.
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
    env: { JUPYTER_PASSWORD: password.reference },
  },
  { ignoreChanges: ["gpu", "dataCenterIds"] },
);

export const url = notebook.urls["8888"];
export const gpu = notebook.gpu.apply((gpu) => gpu?.id);
export const costPerHour = notebook.cost;
export const cheapestNow = found.why; // Another GPU, once a cheaper one is in stock or `minMemory` has changed.
