/**
 * podlumi/jobs: the jobs of Serverless endpoints, for any program, with or without Pulumi.
 *
 * @packageDocumentation
 */
export {
  ConfigurationError,
  NoAnswerError,
  type Problem,
  ServiceError,
  UnknownOutcomeError,
} from "../../provider/client/errors";
export { type CallOptions, Endpoint, type EndpointOptions } from "./endpoint";
export * from "./errors";
export {
  type CancelledJob,
  type CompletedJob,
  type FailedJob,
  type FinishedJob,
  isFinished,
  type Job,
  type JobReceipt,
  type JobState,
  type JobTimes,
  type QueuedJob,
  type RunningJob,
  type TimedOutJob,
} from "./job";
export type { QueueHealth, StreamChunk } from "./report";
export type { JobPolicy, JobRequest, S3Config } from "./request";
export type { Schema, SchemaIssue, SchemaResult } from "./schema";
