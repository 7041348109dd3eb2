import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";

const config = new pulumi.Config();

const password = new podlumi.Secret("jupyter_password", { value: config.requireSecret("jupyterPassword") });
// All that fit, whatever is in stock: so a later run without stock neither fails nor moves the pod.
const found = podlumi.cheapestGpuOutput({ minMemory: config.requireNumber("minMemory"), available: false });

const notebook = new podlumi.Pod("notebook", {
  image: "runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404",
  placements: found.placements, // The first that has room. The pod stays there as long as that fits.
  disk: 20,
  mounts: { persistent: { size: 50, path: "/workspace" } },
  ports: ["8888/http"],
  startJupyter: true,
  env: { JUPYTER_PASSWORD: password.reference },
});

export const url = notebook.urls["8888"];
export const gpu = notebook.gpu.apply((gpu) => gpu?.id);
export const costPerHour = notebook.cost;
export const cheapestNow = found.why;
