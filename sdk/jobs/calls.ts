import { Api } from "../../provider/client/api";
import { systemClock } from "../../provider/client/clock";
import { ConfigurationError } from "../../provider/client/errors";
import type { CompletedJob, Job, JobReceipt } from "../../provider/client/job";
import { readJob } from "../../provider/client/job";
import type { Queue, QueueRequest } from "../../provider/client/queue";
import { segment } from "../../provider/client/rest";
import { transport } from "../../provider/client/transport";
import { programSettings } from "../../provider/config";
import { InvalidOutputError } from "./errors";
import type { EndpointOptions } from "./options";
import type { Schema } from "./schema";
import { applied } from "./schema";

/** All endpoints share one pool of connections. */
const wire = transport();

/** The requests of one endpoint, with its schemas. */
export class Calls<Output = unknown> {
  readonly queue: Queue;
  readonly input: Schema | undefined;
  private readonly output: Schema<unknown, Output> | undefined;

  constructor(
    readonly endpointId: string,
    { apiKey, queueUrl, input, output }: EndpointOptions<unknown, Output>,
  ) {
    checkId(endpointId);
    this.queue = new Api(programSettings({ apiKey, queueUrl }), systemClock, wire).queue(endpointId);
    this.input = input;
    this.output = output;
  }

  /** A job as the service returns it, without the secrets of its request in its error. */
  async job(request: Omit<QueueRequest<Job>, "read">): Promise<Job> {
    return this.discreet(await this.queue.send({ ...request, read: readJob }), request.secrets);
  }

  /** The id and the status of a job, without its result. */
  async receipt(request: Omit<QueueRequest<Job>, "read">): Promise<JobReceipt> {
    const { id, status } = await this.job(request);
    return { id, status };
  }

  discreet<Any extends Job>(job: Any, secrets?: readonly string[]): Any {
    return "error" in job && job.error !== undefined
      ? { ...job, error: this.queue.discreet(job.error, secrets) }
      : job;
  }

  async typed(job: Job): Promise<Job<Output>> {
    return job.status === "COMPLETED" ? this.completed(job) : job;
  }

  /** Applies the output schema to a completed job. */
  async completed(job: CompletedJob): Promise<CompletedJob<Output>> {
    const { made, faults } = await applied(this.output, job.output, "output");
    if (faults.length > 0) throw new InvalidOutputError(this.endpointId, job.id, faults);
    return { ...job, output: made };
  }
}

/** Throws for what is no id of an endpoint. A stack may export the address of its requests instead. */
function checkId(id: string): void {
  segment("new Endpoint", id);
  if (!/^https?:/i.test(id)) return;
  const [, within] = /\/v2\/([^/?#]+)/.exec(id) ?? [];
  const next = within === undefined ? "its output `id`" : `"${within}", which stands in that address`;
  throw new ConfigurationError(
    `new Endpoint needs the id of the endpoint, and not its address: give ${next}`,
  );
}
