import * as pulumi from "@pulumi/pulumi";
import * as podlumi from "podlumi";

export interface InferenceServiceArgs {
  /** Model on Hugging Face. */
  model: pulumi.Input<string>;
  /** Most workers at a time. */
  maxWorkers: pulumi.Input<number>;
}

/** A model behind a queue: its template, and an endpoint that follows it. */
export class InferenceService extends pulumi.ComponentResource {
  readonly url: pulumi.Output<string>;

  constructor(name: string, args: InferenceServiceArgs, opts?: pulumi.ComponentResourceOptions) {
    super("acme:inference:Service", name, {}, opts);
    // The account of `opts.providers` reaches what the component holds through `parent`.
    const worker = new podlumi.Template(
      `${name}-worker`,
      {
        image: "runpod/worker-v1-vllm:v2.8.0stable-cuda12.1.0",
        disk: 60,
        serverless: true,
        env: { MODEL_NAME: args.model },
      },
      { parent: this },
    );
    const endpoint = new podlumi.ServerlessEndpoint(
      name,
      {
        type: "QUEUE",
        templateId: worker.id,
        templateRevision: worker.revision,
        gpu: { pools: ["ADA_24", "AMPERE_24"] },
        workers: { min: 0, max: args.maxWorkers, idleTimeout: 10 },
        scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
      },
      { parent: this },
    );
    this.url = endpoint.requestUrls.runSync;
    this.registerOutputs({ url: this.url });
  }
}
