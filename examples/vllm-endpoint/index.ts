import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";

const config = new pulumi.Config();

const token = new podlumi.Secret("huggingface_token", { value: config.requireSecret("huggingFaceToken") });

const worker = new podlumi.Template("vllm", {
  image: config.require("image"),
  disk: 60,
  serverless: true,
  env: { MODEL_NAME: config.require("model"), MAX_MODEL_LEN: "8192", HF_TOKEN: token.reference },
});

// An edit of the template rolls out, and the deployment waits until the new release has answered a prompt.
const endpoint = new podlumi.ServerlessEndpoint("chat", {
  type: "QUEUE",
  templateId: worker.id,
  templateRevision: worker.revision,
  gpu: { pools: ["AMPERE_24", "ADA_24"] },
  workers: { min: 0, max: 3, idleTimeout: 30 },
  scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
  flashboot: "FLASHBOOT",
  verify: {
    input: { prompt: "Say hello.", sampling_params: { max_tokens: 16 } },
    expect: { $contains: { choices: { $minItems: 1 } } },
    timeout: 1200,
  },
});

export const endpointId = endpoint.id;
export const runSync = endpoint.requestUrls.runSync;
// The base URL for clients of OpenAI's API. Their key is that of the account.
export const openAiUrl = endpoint.openaiBaseUrl;
export const verifiedRelease = endpoint.verifiedRelease;
