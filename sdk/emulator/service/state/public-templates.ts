import type { Template } from "./templates";

export type TemplateSource = "official" | "verified" | "community";

const common: Omit<Template, "id" | "name" | "image"> = {
  args: "",
  disk: 20,
  ports: ["8888/http", "22/tcp"],
  env: {},
  registry: null,
  mounts: { persistent: { size: 20, path: "/workspace" } },
  serverless: false,
  public: true,
  category: "NVIDIA",
  startSsh: true,
  startJupyter: true,
  allowedCudaVersions: [],
};

/**
 * Templates of other users. The account can read and use them, but not change them.
 * (differs, Templates: those of other users are made up.)
 */
export const publicTemplates: (Template & { source: TemplateSource })[] = [
  { ...common, id: "pubpytorch", name: "PyTorch", image: "runpod/pytorch:latest", source: "official" },
  {
    ...common,
    id: "pubworker1",
    name: "Queue worker",
    image: "runpod/worker-example:latest",
    ports: [],
    mounts: {},
    serverless: true,
    source: "official",
  },
  // The vendor's Python SDK names this one for each CPU pod without a template.
  {
    ...common,
    id: "runpod-ubuntu",
    name: "Ubuntu",
    image: "runpod/base:latest",
    mounts: {},
    source: "official",
  },
  { ...common, id: "pubcomfyui", name: "ComfyUI", image: "example/comfyui:latest", source: "verified" },
  {
    ...common,
    id: "publabnote",
    name: "Lab notebook",
    image: "example/notebook:latest",
    source: "community",
  },
];
